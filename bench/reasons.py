"""What holds back the rows that miss their goals, as profiles of Taut showed it; what is a guess says so.

A pattern is looked for in "group: name: what was missed"; the first that is found counts.
"""

REASONS = [
    (
        r"memory$",
        "Memory that cannot go: what is kept for backward, the parameters, their gradients and the optimiser's state. "
        "In ResNet-18 the last three alone are 134 MB of PyTorch's 242; only computing activations again would save more",
    ),
    (
        r"matmul .*backward: .*compilers",
        "Taut does all three products of the forward and the backward pass, each near the peak; a compiler may drop the "
        "forward one, whose value nobody reads (a guess from the times)",
    ),
    (
        r"transposed: .*compilers",
        "A transposed operand is read in squares of a line of cache; lines 4 KB apart fill the buffers for lines on their "
        "way. How JAX avoids that was not found out",
    ),
    (
        r"LSTM",
        "Three quarters of the step are matrix products at the peak of the machine's flops; 1.5 times PyTorch would need "
        "more than that peak",
    ),
    (
        r"attention",
        "The products take 82% of the forward pass, 90% of the backward one, at 95% of the peak of the multiply-add units, "
        "and PyTorch's are MKL's: without a mask there is little left to be faster with",
    ),
    (
        r"matmul (8|16|32) ",
        "Most of so short a call is Python and the making of the result; the product itself is at the peak, but for "
        "transposed second operands, which are packed first",
    ),
    (
        r"matmul (64|128|256|512|4096|1024x256)\S* ?[^:]*: PyTorch$",
        "A guess, not profiled: with 2 threads, packing a transposed operand and the meetings of the threads cost more than "
        "they should in so short a product; with one, both libraries are near the peak and take turns in front",
    ),
    (
        r"MLP 784|MLP batch|transformer|GPT",
        "Half to three quarters of the step are matrix products, level with MKL's; the rest is the memory traffic of "
        "activations, norms, their gradients and the optimiser",
    ),
    (
        r"matmul",
        "More than 90% of the time is the inner loop of matrix products, which waits for the second cache part of the time; "
        "MKL's waits less for large matrices",
    ),
    (
        r"tiny MLP",
        "Two thirds of the pass are arithmetic: products near the peak (31%), tanh bound by division (22%), packing of the "
        "weights (10%)",
    ),
    (r"gelu", "Arithmetic: 28 vector instructions per vector of a result that must be right to an ulp or two"),
    (
        r"conv2d 1->32",
        "The direct product over the window runs near the peak of the multiply-add units: half as much time again would need "
        "another algorithm",
    ),
    (
        r"load 500 MB",
        "90% of the time is the system copying the file from its cache; mapping it instead would let another process's "
        "truncation crash this one",
    ),
    (
        r"save 500 MB",
        "60% of the time is the system's write into its cache, page by page, and 25% the checksum, which reads the tensors "
        "from memory",
    ),
    (
        r"SGD step, 10M|layer_norm 4096|sum all of 16M",
        "A guess from the limit column, not profiled: with 2 threads both libraries move their data at the bandwidth of the "
        "memory",
    ),
    (
        r"scatter_add",
        "All indices are read and checked before anything is written, a quarter of the time: a bad one changes nothing",
    ),
    (
        r"broadcast",
        "Memory traffic; a repeated number is spread over a tile in the first cache before it is used",
    ),
    (
        r"compilers$",
        "A guess, not profiled: Taut runs op by op, each bound by memory; compiled code is one loop over the whole chain and drops what nobody "
        "reads. That is for fusion to close",
    ),
]

UNKNOWN = "Not profiled: near the goal with one of the numbers of threads"
