# What nn/__init__.py loads when it is used.
from . import attention as attention, functional as functional, init as init, modules as modules, parallel as parallel
from . import parameter as parameter, utils as utils
from .modules import *
from .parallel import DataParallel as DataParallel
from .parameter import Buffer as Buffer, Parameter as Parameter
from .parameter import UninitializedBuffer as UninitializedBuffer, UninitializedParameter as UninitializedParameter
