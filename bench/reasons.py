"""What holds back the rows that miss their goals, as profiles showed it.

A pattern is looked for in "group: name: what was missed"; the first that is found counts.
"""

REASONS = [
    (
        r"memory$",
        "Memory that cannot go: what is kept for backward, the parameters, their gradients and the optimiser's state. "
        "In ResNet-18 the last three alone are 134 MB of PyTorch's 242; only computing activations again would save more",
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
        r"matmul|MLP 784|MLP batch|transformer|GPT",
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
        r"conv2d (3->64|1->32)",
        "The direct product runs near the peak; PyTorch's is as good at these few channels, and its gradients of the images "
        "are computed as here",
    ),
    (
        r"load 500 MB",
        "85% of the time is the system copying the file from its cache; mapping it instead would let another process's "
        "truncation crash this one",
    ),
    (r"save 500 MB", "Nearly all is the system's write into its cache; the checksum takes the rest"),
    (r"SGD step, 10M", "One pass in place at the memory's bandwidth; PyTorch's is one pass too"),
    (
        r"broadcast",
        "Memory traffic; a repeated number is spread over a tile in the first cache before it is used",
    ),
    (
        r"compilers$",
        "Compiled code makes one loop of the whole chain of ops, forward and backward, and drops what nobody reads; that is "
        "for fusion to close",
    ),
]

UNKNOWN = "Not explained: close to the goal, or within the noise of this machine"
