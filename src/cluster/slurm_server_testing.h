// A real Slurm for tests: munged, slurmctld and slurmd on loopback, in a folder of their own, ended with the object.
//
// Any user may run it. For the thread that started it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::cluster {

struct SlurmServerOptions {
  int nodes = 4;          // n1, n2, ... in slurm.conf
  int registered = 4;     // the first so many have a slurmd
  std::string more = "";  // lines for slurm.conf
  // A shell script for every node to run as HealthCheckProgram, each `health_interval` seconds; "" for none. It finds
  // the folder of the server in ASHLAR_SLURM_FOLDER.
  std::string health_script = "";
  int health_interval = 0;
};

class SlurmServer {
 public:
  // Returns when the registered nodes are idle (or drained by their health check). kNotFound naming the packages when
  // the programs are not installed.
  static base::StatusOr<std::unique_ptr<SlurmServer>> Start(const SlurmServerOptions& options);
  ~SlurmServer();

  // What clients need: SLURM_CONF.
  std::map<std::string, std::string> environment() const { return {{"SLURM_CONF", config_path()}}; }
  std::string config_path() const { return folder_.path() + "/slurm.conf"; }
  const std::string& folder() const { return folder_.path(); }

  // The slurmd of node n<number>.
  base::Status StartNode(int number);
  // What scontrol prints for these words, as an operator would type them.
  base::StatusOr<std::string> Scontrol(const std::vector<std::string>& words) const;
  // Until the line of the node holds `text`; kDeadlineExceeded with the last line.
  base::StatusOr<std::string> WaitForNode(const std::string& node, const std::string& text) const;

 private:
  SlurmServer(os::TemporaryDirectory folder, SlurmServerOptions options)
      : folder_(std::move(folder)), options_(std::move(options)) {}
  base::Status Launch();
  base::Status StartMunge();
  base::StatusOr<std::string> Config() const;
  base::Status Start(std::vector<std::string> command, const std::string& log);

  os::TemporaryDirectory folder_;
  SlurmServerOptions options_;
  std::vector<os::ChildProcess> daemons_;  // ended from the last to the first
};

}  // namespace ashlar::cluster
