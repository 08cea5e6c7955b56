// Options of recurrent layers and cells.
#pragma once
#include "taut/nn/arg.h"
#include "taut/nn/enums.h"
#include "taut/tensor.h"

namespace taut::nn {

namespace detail {
struct RNNOptionsBase {
  RNNOptionsBase(Keyword mode, int64_t input_size, int64_t hidden_size)
      : mode_(mode), input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(Keyword, mode);
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(int64_t, num_layers) = 1;
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(double, dropout) = 0;
  TAUT_ARG(bool, bidirectional) = false;
  TAUT_ARG(int64_t, proj_size) = 0;
};
struct RNNCellOptionsBase {
  RNNCellOptionsBase(int64_t input_size, int64_t hidden_size, bool bias, int64_t num_chunks)
      : input_size_(input_size), hidden_size_(hidden_size), bias_(bias), num_chunks_(num_chunks) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(bool, bias);
  TAUT_ARG(int64_t, num_chunks);
};
}  // namespace detail

struct RNNOptions {
  RNNOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(int64_t, num_layers) = 1;
  TAUT_ARG(Keyword, nonlinearity) = kTanh;  // or kReLU
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(double, dropout) = 0;  // of the outputs of all layers but the last
  TAUT_ARG(bool, bidirectional) = false;
};

struct LSTMOptions {
  LSTMOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(int64_t, num_layers) = 1;
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(double, dropout) = 0;
  TAUT_ARG(bool, bidirectional) = false;
  TAUT_ARG(int64_t, proj_size) = 0;  // above 0: the hidden state is projected to so many numbers
};

struct GRUOptions {
  GRUOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(int64_t, num_layers) = 1;
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(double, dropout) = 0;
  TAUT_ARG(bool, bidirectional) = false;
};

struct RNNCellOptions {
  RNNCellOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(Keyword, nonlinearity) = kTanh;  // or kReLU
};

struct LSTMCellOptions {
  LSTMCellOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(bool, bias) = true;
};

struct GRUCellOptions {
  GRUCellOptions(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}
  TAUT_ARG(int64_t, input_size);
  TAUT_ARG(int64_t, hidden_size);
  TAUT_ARG(bool, bias) = true;
};

}  // namespace taut::nn
