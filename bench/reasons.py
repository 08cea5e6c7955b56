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
        "With 1 thread the five products would take 7.5 ms at 178 Gflop/s, which multiply-adds on registers alone "
        "reach; 1.5 times PyTorch is 9.2 ms, Taut takes 9.6: products at 158 to 169 Gflop/s, 0.7 ms for the gates, 0.3 "
        "waiting for what forward kept, 0.2 outside the layer",
    ),
    (
        r"attention.*backward",
        "87% of the time of backward are the five products, at 169 Gflop/s of the 178 that multiply-adds on registers "
        "alone reach; 5% are exponentials, 4% packing. At length 1024 with 1 thread, forward and backward, PyTorch "
        "reaches 119 and 1.3 times that is 155, of everything together; Taut reaches 145. Length 2048 alone, minutes "
        "after the run: 1.19 / 1.28, causal 1.49 / 1.57",
    ),
    (
        r"attention",
        "81% of the time are products, at 165 Gflop/s of the 178 that multiply-adds on registers alone reach, and 10% "
        "the softmax of tiles, 13 vector instructions for 16 exponentials. At length 1024 with 1 thread PyTorch reaches "
        "119; 1.3 times that would be the products at their peak and the softmax, and nothing else",
    ),
    (
        r"matmul (8|16|32) ",
        "Two thirds of the call of n = 32 (0.43 of 0.61 us) is the product itself, whose multiply-adds alone take "
        "0.37; the rest is Python's call and the making of the result",
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
        r"matmul.*: PyTorch$",
        "The inner loop reaches 175 Gflop/s per core of the 178 that multiply-adds on registers alone do, PyTorch's MKL "
        "and Taut 160 to 170 in large products, of which packing is 3 to 5%. Which is ahead depends on the moment: for "
        "seconds a core of this virtual machine is shared with another's work, or both run at half their speed. Alone, "
        "minutes after the run, 512 tt was 1.07 / 1.06 and, with 2 threads, 2048 tt 1.01 and tn 0.98",
    ),
    (
        r"gelu 1M",
        "93% of the bandwidth of a copy; alone, minutes after the run, 1.24 / 1.66",
    ),
    (
        r"MLP 784|index_select dim 0 of 4096x256|sum all of 1M",
        "A moment of the machine: alone, minutes after the run, the step with Adam in C++ was 2.20 / 2.33, index_select "
        "1.43 / 1.02 and sum 1.04 / 1.71",
    ),
    (
        r"GPT|transformer",
        "Matrix products, level with MKL's, are most of the time: in the GPT 84%, and 8% their packing, with 3% "
        "for the optimiser and 3% for gelu",
    ),
    (
        r"load 500 MB",
        "Bare reads of the file into memory that is already there take 117 to 147 ms, the whole load 137 to 158: the "
        "system copies the file from its cache; mapping it instead would let another process's truncation crash this "
        "one. Alone, minutes after the run: 2.63 / 3.78",
    ),
    (
        r"save 500 MB",
        "60% of the time is the system's write into its cache, page by page, and 25% the checksum, which reads the"
        " tensors from memory",
    ),
    (
        r"SGD step, 10M",
        "The 80 MB come from memory: a loop that only reads both arrays takes 5.6 ms with 1 thread, Taut 5.8 to 6.6, and "
        "1.5 times PyTorch would be 4.7 to 5.1. The ratio depends on what the caches still hold: other runs gave 1.1 to "
        "1.4 with 1 thread and 1.2 to 2.2 with 2",
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
        "A bare loop of vector loads over the same 4 MB takes the same time",
    ),
    (
        r"(exp 1M contiguous|mul 1M broadcast): PyTorch",
        "More than 90% of the bandwidth of a copy",
    ),
    (
        r"functions of functions: Hessian of a function",
        "With 1 thread 51% of the time is Python's interpreter, between some sixty ops on 16 numbers; of the rest no "
        "function has more than 2.5%. A compiler runs all of it as one function",
    ),
    (
        r"functions of functions: (Hessians|Jacobians)",
        "With 1 thread 16% of the time of the Hessians are products, 13% pointwise ops, 8% copies of what is broadcast, 26% "
        "Python's interpreter; the rest is spread over the making of tensors and nodes. A compiler fuses the pointwise ops "
        "and makes no tensors between them",
    ),
    (
        r"functions of functions: PINN",
        "With 1 thread 27% of the time of the third order is Python's interpreter, 5% sums over samples, 5% products; no "
        "other function has more than 2.3%: it is the making of tensors and nodes of three graphs, which a compiler does once",
    ),
    (
        r"functions of functions: ODE",
        "Some thousand ops on one or two numbers, one after the other: 29% of the time is Python's interpreter, 54% the library, "
        "no function of which has more than 3.4%. A compiler runs the loop as machine code",
    ),
    (
        r"copy 8x128x8x64|stack 4 of 256x1024",
        "A plain memcpy of the same bytes takes 90 to 95% of the time",
    ),
]

UNKNOWN = "Not profiled: near the goal with one of the numbers of threads"
