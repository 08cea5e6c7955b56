// What src/kernels/rnn.cpp and the gate kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// Rows below each other, and gates side by side within a row.
template <class T>
struct GateRows {
  T* data = nullptr;
  int64_t row = 0, gate = 0;  // distances in elements
};

/// `width` hidden units of `rows` sequences at one step.
template <class T>
struct RnnTile {
  int64_t rows, width;
  // What the input adds to the gates, and what the hidden state adds; a bias has one row. For the GRU they stay apart;
  // else there is one bias, and where x is null it is in hw.
  GateRows<const T> x, x_bias;
  GateRows<const T> hw, bias;
  GateRows<const T> h, c;  // before the step (GRU; LSTM)
  GateRows<T> act;         // for backward, null when nobody asks. LSTM: i, f, g, o. GRU: r, z, n, and hw of n
  GateRows<T> cell, y;     // after the step. `gate` of act and cell says how far it is to the next tile's
};

/// The same, backwards.
template <class T>
struct RnnBackwardTile {
  int64_t rows, width;
  GateRows<const T> g, later;      // gradients of y, and what comes back from the later step; null when there is none
  GateRows<T> carry;               // LSTM: the gradient of the cell. GRU: what goes past the gates. Read, then written
  GateRows<const T> y, act, cell;  // of this step
  GateRows<const T> h, c;          // before the step (GRU; LSTM)
  GateRows<T> dx, dhw;             // gradients of x and hw; the same memory except for the GRU
};

template <class T>
struct RnnKernels {
  void (*forward)(const RnnTile<T>&);
  void (*backward)(const RnnBackwardTile<T>&);
};
struct RnnTable {
  RnnKernels<float> f32[4];  // tanh, relu, LSTM, GRU
  RnnKernels<double> f64[4];
};
TAUT_ISA_TABLE(RnnTable, rnn_table)

}  // namespace taut
