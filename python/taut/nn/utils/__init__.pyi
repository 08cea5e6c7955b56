# What utils/__init__.py loads when it is used.
from . import parametrizations as parametrizations, parametrize as parametrize, rnn as rnn, stateless as stateless
from .clip_grad import *
from .convert_parameters import *
from .fusion import *
from .init import *
from .spectral_norm import remove_spectral_norm as remove_spectral_norm, spectral_norm as spectral_norm
from .weight_norm import remove_weight_norm as remove_weight_norm, weight_norm as weight_norm
