// taut::nn::functional: layers as functions, with their options.
#pragma once
