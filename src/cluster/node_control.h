// Where the states of nodes are read and changed: the Slurm controller, through scontrol.
//
// An object holds a path and no connection; any thread may call it. Every call ends within the time that it is given.
#pragma once

#include <absl/time/time.h>

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "cluster/slurm_node.h"

namespace ashlar::cluster {

class NodeControl {
 public:
  virtual ~NodeControl() = default;
  // One node. kNotFound when the controller has none of that name, kUnavailable when it does not answer,
  // kPermissionDenied, kDeadlineExceeded; errors of ParseNodeLine.
  virtual base::StatusOr<SlurmNode> Read(const std::string& name, absl::Duration limit) = 0;
  // Sets DRAIN with the reason, which replaces any other: the caller has looked. Jobs that run go on.
  virtual base::Status Drain(const std::string& name, const std::string& reason, absl::Duration limit) = 0;
  // Takes DRAIN, DOWN and FAIL off, and the reason with them. The node then waits for slurmd to register again.
  virtual base::Status Resume(const std::string& name, absl::Duration limit) = 0;
};

// The controller that SLURM_CONF or the machine's own slurm.conf names.
class Scontrol : public NodeControl {
 public:
  // `program` is a path, or "" for scontrol in PATH or in the folders where Slurm is installed by hand: slurmd starts
  // its programs with hardly any PATH. kNotFound when there is none.
  static base::StatusOr<Scontrol> Find(const std::string& program = "", std::stop_token stop = {});

  base::StatusOr<SlurmNode> Read(const std::string& name, absl::Duration limit) override;
  base::Status Drain(const std::string& name, const std::string& reason, absl::Duration limit) override;
  base::Status Resume(const std::string& name, absl::Duration limit) override;

  // The nodes of a host list in the order of the controller; "" lists all, those of hidden partitions too. The errors
  // of Read; kInvalidArgument for a list that is none.
  base::StatusOr<std::vector<SlurmNode>> List(std::string_view hosts, absl::Duration limit);

 private:
  Scontrol(std::string program, std::stop_token stop) : program_(std::move(program)), stop_(std::move(stop)) {}
  base::StatusOr<std::string> Run(const std::vector<std::string>& words, absl::Duration limit) const;

  std::string program_;
  std::stop_token stop_;
};

}  // namespace ashlar::cluster
