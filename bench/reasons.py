"""What holds back the rows that miss their goals, as profiles of Taut showed it; what is a guess says so.

A pattern is looked for in "group: name: what was missed"; the first that is found counts.
"""

REASONS = [
    (
        r"GPT.*memory$",
        "292 MB are alive at the peak: 133 MB of parameters and AdamW's state, 151 MB of activations that backward"
        " reads and 8 MB at the loss. Half of PyTorch's peak would leave 78 MB for activations; computing gelu's and "
        "layer_norm's results again would save 57 MB for 1% more time, and all others are made by matrix products",
    ),
    (
        r"ResNet.*memory$",
        "Parameters, gradients and momentum alone are 134 MB, more than half of PyTorch's peak; 148 MB are alive at "
        "Taut's, near the end of backward, when 10 MB of the first layers' activations are still to be read",
    ),
    (
        r"transformer.*memory$",
        "94 MB are alive at the peak: 39 MB of parameters and Adam's state, 48 MB of activations that backward reads "
        "and 7 MB on their way; 5 MB more are gaps between blocks",
    ),
    (
        r"LSTM",
        "76% of the step are matrix products near the peak of the multiply-add units, 16% the gates, 5% packing: "
        "the products alone take 7.8 of 10.3 ms with 1 thread, and 1.5 times PyTorch would be 9.4",
    ),
    (
        r"attention.*backward",
        "91% of the time are the five products, within 7% of their speed from a hot cache; exponentials are 5%, "
        "packing 1%. PyTorch's products are MKL's, as fast",
    ),
    (
        r"attention",
        "84% of the time are products near the peak and 12% the softmax of a tile, 12 vector instructions for 16 "
        "exponentials; PyTorch's products are MKL's, as fast",
    ),
    (
        r"matmul (8|16|32) ",
        "Half of the call of n = 32 (0.41 of 0.78 us) is the product itself, at 92% of the peak; what is left, and"
        " nearly all of n = 8, is Python's call and the making of the result",
    ),
    (
        r"matmul 4096x16x32",
        "85% of the time is the inner loop, which ends after 16 steps: a strip of 14 rows takes 264 cycles, its "
        "multiply-adds 224",
    ),
    (
        r"batched matmul 512 of 8x8x8",
        "A third of the time is arithmetic; the rest is the way to it, for each of 512 products of 8 x 8",
    ),
    (
        r"batched matmul",
        "In cache the same products take an eighth to a sixth less: the rest is reading the matrices from the "
        "third cache",
    ),
    (
        r"matmul (1024|2048)\S* ?[^:]*: PyTorch$",
        "The inner loop alone reaches 174 Gflop/s; packing the second operand costs 3 to 4% of the product. Both "
        "libraries are within some percent of the peak and take turns in front; why Taut is behind more often with"
        " 2 threads was not found",
    ),
    (
        r"matmul",
        "With 1 thread both libraries are within some percent of the peak of the multiply-add units. With 2 "
        "threads a run of these rows alone on a quieter machine gave 0.99 to 1.09; what costs more than that in a "
        "long run was not found",
    ),
    (
        r"GPT|transformer",
        "Matrix products, level with MKL's, are most of the time: in the GPT 84%, and 8% their packing, with 3% "
        "for the optimiser and 3% for gelu",
    ),
    (
        r"load 500 MB",
        "90% of the time is the system copying the file from its cache; mapping it instead would let another "
        "process's truncation crash this one",
    ),
    (
        r"save 500 MB",
        "60% of the time is the system's write into its cache, page by page, and 25% the checksum, which reads the"
        " tensors from memory",
    ),
    (
        r"SGD step, 10M",
        "78 GB/s with 2 threads, 39 per core, which is what one core reaches in x * x; PyTorch with 2 threads "
        "comes near it. With 1 thread other runs gave 1.3 to 1.9",
    ),
    (
        r"layer_norm 4096",
        "49 GB/s of reads and writes past the caches, where two cores that only read get 55 (the limit is inferred"
        " from these rates)",
    ),
    (
        r"sum all of 16M",
        "A bare loop of vector loads over the same memory takes the same time",
    ),
    (
        r"sum all of 64x64x256",
        "92% of the time is the loop that loads and adds, over 4 MB that the second cache does not hold",
    ),
    (
        r"(exp 1M contiguous|mul 1M broadcast): PyTorch",
        "More than 90% of the bandwidth of a copy",
    ),
    (
        r"tanh 1M broadcast",
        "Taut computes tanh of all repeated elements; JAX may do so once for each that differs (a guess from the "
        "times)",
    ),
    (
        r"copy 8x128x8x64|stack 4 of 256x1024",
        "A plain memcpy of the same bytes takes 90 to 95% of the time",
    ),
]

UNKNOWN = "Not profiled: near the goal with one of the numbers of threads"
