"""A softmax over very many classes."""

from collections import namedtuple

from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """log_softmax of classes sorted by how often they come: the rare ones share smaller layers."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        wrong = cutoffs != sorted(set(cutoffs)) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1
        if wrong or any(int(c) != c for c in cutoffs):
            raise ValueError("cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
                             "where each value is between 1 and n_classes-1")
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            self.tail.append(Sequential(
                Linear(in_features, hidden, bias=False, device=device, dtype=dtype),
                Linear(hidden, self.cutoffs[i + 1] - self.cutoffs[i], bias=False, device=device, dtype=dtype)))

    def reset_parameters(self):
        """Draws all layers anew."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        """The log-probabilities of the targets, and their negative mean."""
        batched = target_.dim() > 0
        if batched:
            if input_.shape[0] != target_.shape[0]:
                raise RuntimeError("Input and target should have the same size in the batch dimension.")
            if input_.dim() != 2:
                raise RuntimeError("1D target tensor expects 2D input tensors, but found inputs with size",
                                   input_.size())
        elif input_.dim() != 1:
            raise RuntimeError("0D target tensor expects 1D input tensors, but found inputs with size", input_.size())
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        used = 0
        output = input.new_zeros(target.shape[0])
        gather = target.new_empty(target.shape[0])
        edges = [0] + self.cutoffs
        for i in range(len(edges) - 1):
            low, high = edges[i], edges[i + 1]
            rows = ((target >= low) & (target < high)).nonzero().reshape(-1)
            if rows.numel() == 0:
                continue
            if i == 0:
                gather.index_copy_(0, rows, target[rows])
            else:
                cluster = self.shortlist_size + i - 1
                logprob = F.log_softmax(self.tail[i - 1](input.index_select(0, rows)), dim=1)
                output = output.index_copy(0, rows, logprob.gather(1, (target[rows] - low).unsqueeze(1)).squeeze(1))
                gather.index_fill_(0, rows, cluster)
            used += rows.numel()
        if used != target.shape[0]:
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                               f"[{target.min().item()}, {target.max().item()}] were found. ")
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, gather.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        head = F.log_softmax(head_output, dim=1)
        made = input.new_empty((head.shape[0], self.n_classes))
        made[:, :self.shortlist_size] = head[:, :self.shortlist_size]
        for i, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            cluster = head[:, self.shortlist_size + i].unsqueeze(1)
            made[:, low:high] = F.log_softmax(self.tail[i](input), dim=1) + cluster
        return made

    def log_prob(self, input):
        """The log-probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The likeliest class of each sample."""
        head = self.head(input)
        output = head.argmax(dim=1)
        rare = ~(output < self.shortlist_size)
        if not rare.any():
            return output
        if rare.all():
            return self._get_full_log_prob(input, head).argmax(dim=1)
        rows = rare.nonzero().reshape(-1)
        return output.index_copy(0, rows, self._get_full_log_prob(input[rows], head[rows]).argmax(dim=1))
