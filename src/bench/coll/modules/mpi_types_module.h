// Our data types and reductions as MPI's, with user-defined operations where MPI has none. One thread.
#pragma once

#include <mpi.h>

#include "bench/coll/kinds.h"

namespace ashlar::bench {

MPI_Datatype MpiType(DataType type);

// Operations live from construction, after MPI_Init, to destruction, before MPI_Finalize.
class MpiOperations {
 public:
  MpiOperations();
  ~MpiOperations();
  MpiOperations(const MpiOperations&) = delete;
  MpiOperations& operator=(const MpiOperations&) = delete;

  MPI_Op Of(ReduceOp op, DataType type) const;

 private:
  static constexpr int kHalfOperations = 4;  // sum (also for avg), product, maximum, minimum
  MPI_Op half_[kHalfOperations];
  MPI_Op bfloat16_[kHalfOperations];
};

}  // namespace ashlar::bench
