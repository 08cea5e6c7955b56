"""Recurrent layers and cells."""

import functools
import math
import numbers
import warnings

from ... import _C
from .. import init
from ..parameter import _new_parameter
from ..utils.rnn import PackedSequence
from .module import Module

_recurrent, _recurrent_cell = _C.ops["_recurrent"], _C.ops["_recurrent_cell"]


def _permuted(tensor, order):
    return tensor if order is None else tensor.index_select(1, order)


def _zeros(*size, like):
    return like.new_zeros(size)


_OVERRIDABLE = ("check_forward_args", "check_input", "check_hidden_size", "get_expected_hidden_size",
                "get_expected_cell_size", "permute_hidden")


@functools.lru_cache(maxsize=None)
def _has_own_checks(cls):
    """Does a class derived from a recurrent layer have checks of its own?"""
    own = cls.__mro__[:next(i for i, c in enumerate(cls.__mro__) if c in (RNN, GRU, LSTM, RNNBase))]
    return any(name in vars(c) for c in own for name in _OVERRIDABLE)


class RNNBase(Module):
    """What RNN, LSTM and GRU share."""

    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout",
                     "bidirectional", "proj_size"]

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element "
                             "being zeroed")
        if dropout > 0 and num_layers == 1:
            warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                          f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                          stacklevel=2)
        if not isinstance(input_size, int):
            raise TypeError(f"input_size should be of type int, got: {type(input_size).__name__}")
        if input_size <= 0:
            raise ValueError("input_size must be greater than zero")
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        gates = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}.get(mode)
        if gates is None:
            raise ValueError("Unrecognized RNN mode: " + mode)
        gates *= hidden_size
        output = proj_size or hidden_size
        self._all_weights = []
        _C._empty((num_layers, 4096), None, _C.uint8)  # is there room for so many layers?
        for layer in range(num_layers):
            width = input_size if layer == 0 else output * (2 if bidirectional else 1)
            for suffix in ("", "_reverse") if bidirectional else ("",):
                sizes = {"weight_ih": (gates, width), "weight_hh": (gates, output)}
                if bias:
                    sizes.update(bias_ih=(gates,), bias_hh=(gates,))
                if proj_size > 0:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                names = [f"{name}_l{layer}{suffix}" for name in sizes]
                for name, size in zip(names, sizes.values()):
                    setattr(self, name, _new_parameter(size, device, dtype))
                self._all_weights.append(names)
        self._flat_weights_names = [name for names in self._all_weights for name in names]
        self.reset_parameters()

    @property
    def _flat_weights(self):
        """All weights, in the order the ops take them."""
        own = self._parameters
        try:
            return [own[name] for name in self._flat_weights_names]
        except KeyError:  # a weight that is computed
            return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        """The weights of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Nothing to do: the weights are used where they are."""

    def reset_parameters(self):
        """Draws all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            shown += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            shown += f", num_layers={self.num_layers}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        if self.batch_first is not False:
            shown += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            shown += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            shown += f", bidirectional={self.bidirectional}"
        return shown

    def __getstate__(self):
        return {**self.__dict__, "_flat_weights": self._flat_weights}  # which PyTorch looks for

    def __setstate__(self, state):
        state = {k: v for k, v in state.items() if k not in ("_flat_weights", "_flat_weight_refs")}
        state.setdefault("proj_size", 0)
        super().__setstate__(state)
        if self._all_weights and "_flat_weights_names" not in self.__dict__:
            self._flat_weights_names = [name for names in self._all_weights for name in names]

    # Inputs and states.

    def check_input(self, input, batch_sizes):
        """Raises unless the input has input_size features."""
        dtype = self._flat_weights[0].dtype
        if input.dtype != dtype:
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). Convert input: "
                             f"input.to({dtype}), or convert model: model.to({input.dtype})")
        expected = 2 if batch_sizes is not None else 3
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if self.input_size != input.shape[-1]:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                               f"{input.shape[-1]}")

    def _batch(self, input, batch_sizes):
        return int(batch_sizes[0]) if batch_sizes is not None else input.shape[0 if self.batch_first else 1]

    def get_expected_hidden_size(self, input, batch_sizes):
        """The sizes of a hidden state for this input."""
        return (self.num_layers * (2 if self.bidirectional else 1), self._batch(input, batch_sizes),
                self.proj_size or self.hidden_size)

    def get_expected_cell_size(self, input, batch_sizes):
        """The sizes of a cell state for this input."""
        return self.num_layers * (2 if self.bidirectional else 1), self._batch(input, batch_sizes), self.hidden_size

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        """Raises unless a state has these sizes."""
        if hx.shape != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.shape)))

    def check_forward_args(self, input, hidden, batch_sizes):
        """Raises unless input and state fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """The state with its batch in another order."""
        return _permuted(hx, permutation)

    def _hx(self, states):
        return tuple(states) if self.mode == "LSTM" else states[0]

    def _states(self, hx):
        return list(hx) if self.mode == "LSTM" else [hx]

    def _checked(self, data, batch_sizes, states, order):
        """The states in the order of the batch, checked by the methods of a class of the user's."""
        if states:
            hx = self.permute_hidden(self._hx(states), order)
        else:
            sizes = [self.get_expected_hidden_size(data, batch_sizes)]
            if self.mode == "LSTM":
                sizes.append(self.get_expected_cell_size(data, batch_sizes))
            hx = self._hx([_zeros(*size, like=data) for size in sizes])
        self.check_forward_args(data, hx, batch_sizes)
        return self._states(hx)

    def _run(self, input, states):
        """The outputs, packed if the input is, and the last states; states of zeros where none are given."""
        data, batch_sizes, order, back = input if isinstance(input, PackedSequence) else (input, None, None, None)
        custom = _has_own_checks(type(self)) and (batch_sizes is not None or data.dim() == 3)
        if custom:  # then in steps, as they expect it
            states = self._checked(data, batch_sizes, states, order)
        output, *states = _recurrent(self.mode, data, batch_sizes, None if custom else order, None if custom else back,
                                     states, self._flat_weights, self.input_size, self.hidden_size, self.proj_size,
                                     self.bias, self.num_layers, self.dropout, self.training, self.bidirectional,
                                     self.batch_first)
        if custom:
            states = self._states(self.permute_hidden(self._hx(states), back))
        return output if batch_sizes is None else PackedSequence(output, batch_sizes, order, back), states

    def forward(self, input, hx=None):
        """The outputs of all steps, and the last state."""
        output, (hidden,) = self._run(input, [] if hx is None else [hx])
        return output, hidden


class RNN(RNNBase):
    """A plain recurrent layer: h' = tanh (or relu) of W_ih x + W_hh h + b."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + self.nonlinearity.upper(), *args, **kwargs)


class GRU(RNNBase):
    """Gated recurrent units."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Long short-term memory."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def check_forward_args(self, input, hidden, batch_sizes):
        """Raises unless input and states fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes),
                               "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes),
                               "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx, permutation):
        """The states with their batch in another order."""
        return hx if permutation is None else (_permuted(hx[0], permutation), _permuted(hx[1], permutation))

    def forward(self, input, hx=None):
        """The outputs of all steps, and the last states (hidden, cell)."""
        output, states = self._run(input, [] if hx is None else list(hx))
        return output, tuple(states)


class RNNCellBase(Module):
    """What the cells share."""

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self.weight_ih = _new_parameter((num_chunks * hidden_size, input_size), device, dtype)
        self.weight_hh = _new_parameter((num_chunks * hidden_size, hidden_size), device, dtype)
        if bias:
            self.bias_ih = _new_parameter((num_chunks * hidden_size,), device, dtype)
            self.bias_hh = _new_parameter((num_chunks * hidden_size,), device, dtype)
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draws all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            shown += f", nonlinearity={self.nonlinearity}"
        return shown

    def _run(self, mode, input, states):
        return _recurrent_cell(mode, input, states, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


class RNNCell(RNNCellBase):
    """One step of an RNN."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._run("RNN_" + self.nonlinearity.upper(), input, [] if hx is None else [hx])[0]


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._run("GRU", input, [] if hx is None else [hx])[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        return tuple(self._run("LSTM", input, [] if hx is None else list(hx)))
