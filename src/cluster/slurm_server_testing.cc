#include "cluster/slurm_server_testing.h"

#include <arpa/inet.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace ashlar::cluster {
namespace {

using base::StatusCode;

constexpr absl::Duration kWait = absl::Seconds(60);
constexpr int kStartAttempts = 3;  // a free port may be taken before its daemon binds it

// Debian keeps the daemons in sbin, which is not in every user's PATH.
base::StatusOr<std::string> Daemon(const std::string& name) {
  // With slurm-wlm-emulator installed the plain name is another build; the real one has the ending.
  for (const std::string& path : {fmt::format("/usr/sbin/{}-wlm", name), fmt::format("/usr/sbin/{}", name),
                                  fmt::format("/usr/local/sbin/{}", name)}) {
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return base::Error(StatusCode::kNotFound,
                     "no {} to test with: apt-get install -y slurmctld slurmd slurm-client slurm-wlm-basic-plugins "
                     "munge (tools/install-deps --tests does)",
                     name);
}

base::StatusOr<std::string> RunOk(const std::vector<std::string>& command,
                                  const std::map<std::string, std::string>& environment) {
  ASHLAR_ASSIGN_OR_RETURN(const auto result,
                          os::RunSubprocess({.command = command, .environment = environment, .directory = "/"}));
  if (result.exit_code != 0) {
    return base::Error(StatusCode::kInternal, "{} ended with {}: {}{}", base::Join(command, " "), result.exit_code,
                       result.output, result.error);
  }
  return result.output;
}

void Pause() { RunOk({"sleep", "0.1"}, {}).IgnoreError(); }

base::StatusOr<int> FreePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool bound = socket >= 0 && ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  const int error = errno;
  if (socket >= 0) ::close(socket);
  if (!bound) return base::ErrnoStatus(error, "finding a free port");
  return ntohs(address.sin_port);
}

std::string UserName() {
  const passwd* user = ::getpwuid(::geteuid());
  return user == nullptr ? std::to_string(::geteuid()) : user->pw_name;
}

base::Status WriteFile(const std::string& path, std::string_view text, mode_t mode) {
  ASHLAR_RETURN_IF_ERROR(os::WriteFileDurably(os::RealFileSystem(), path, text));
  if (::chmod(path.c_str(), mode) != 0) return base::ErrnoStatus(errno, path);
  return base::OkStatus();
}

}  // namespace

base::StatusOr<std::unique_ptr<SlurmServer>> SlurmServer::Start(const SlurmServerOptions& options) {
  base::Status status;
  for (int attempt = 0; attempt < kStartAttempts; ++attempt) {
    ASHLAR_ASSIGN_OR_RETURN(os::TemporaryDirectory folder, os::TemporaryDirectory::Create());
    std::unique_ptr<SlurmServer> server(new SlurmServer(std::move(folder), options));
    status = server->Launch();
    if (status.ok()) return server;
    if (status.code() == StatusCode::kNotFound) break;
  }
  return status;
}

SlurmServer::~SlurmServer() {
  // All are told at once, so that none waits for another that is gone; munged, the first one, is needed to the end.
  for (size_t i = 1; i < daemons_.size(); ++i) daemons_[i].Signal(SIGTERM);
  while (!daemons_.empty()) {
    daemons_.back().Terminate(absl::Seconds(5));
    daemons_.pop_back();
  }
}

base::Status SlurmServer::Launch() {
  ASHLAR_RETURN_IF_ERROR(os::FindProgram("scontrol").status());
  ASHLAR_RETURN_IF_ERROR(StartMunge());
  os::FileSystem& files = os::RealFileSystem();
  for (const std::string name : {"state", "spool", "log", "run", "bin"}) {
    ASHLAR_RETURN_IF_ERROR(files.CreateDirectories(folder() + "/" + name));
  }
  // The daemons ask their own name what they are, so they must be called by the plain one.
  for (const std::string name : {"slurmctld", "slurmd", "slurmstepd"}) {
    ASHLAR_ASSIGN_OR_RETURN(const std::string program, Daemon(name));
    std::error_code error;
    std::filesystem::create_symlink(program, folder() + "/bin/" + name, error);
    if (error) return base::Error(StatusCode::kInternal, "linking {}: {}", name, error.message());
  }
  if (!options_.health_script.empty()) {
    const std::string script =
        fmt::format("#!/bin/sh\nexport ASHLAR_SLURM_FOLDER={}\n{}", folder(), options_.health_script);
    ASHLAR_RETURN_IF_ERROR(WriteFile(folder() + "/bin/health", script, 0755));
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::string config, Config());
  ASHLAR_RETURN_IF_ERROR(WriteFile(config_path(), config, 0644));
  ASHLAR_RETURN_IF_ERROR(WriteFile(folder() + "/gres.conf", "", 0644));
  ASHLAR_RETURN_IF_ERROR(Start({folder() + "/bin/slurmctld", "-D"}, "slurmctld"));
  for (int number = 1; number <= options_.registered; ++number) ASHLAR_RETURN_IF_ERROR(StartNode(number));
  for (int number = 1; number <= options_.registered; ++number) {
    ASHLAR_RETURN_IF_ERROR(WaitForNode(fmt::format("n{}", number), " State=IDLE").status());
  }
  return base::OkStatus();
}

base::Status SlurmServer::StartMunge() {
  ASHLAR_ASSIGN_OR_RETURN(const std::string munged, Daemon("munged"));
  const std::string place = folder() + "/munge";
  ASHLAR_RETURN_IF_ERROR(os::RealFileSystem().CreateDirectories(place));
  std::string key(128, '\0');
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    return base::ErrnoStatus(errno, "reading random bytes for munge's key");
  }
  ASHLAR_RETURN_IF_ERROR(WriteFile(place + "/key", key, 0600));
  // --force: below /tmp, which everybody may write to, munged is wary of the folder.
  ASHLAR_RETURN_IF_ERROR(
      Start({munged, "--foreground", "--force", "--key-file=" + place + "/key", "--socket=" + place + "/socket",
             "--pid-file=" + place + "/pid", "--log-file=" + place + "/log", "--seed-file=" + place + "/seed"},
            "munged"));
  const absl::Duration start = base::SystemClock().Monotonic();
  while (!std::filesystem::exists(place + "/socket")) {
    if (daemons_.back().Poll() || base::SystemClock().Monotonic() - start > kWait) {
      return base::Error(StatusCode::kInternal, "the test's munged does not start; see {}/log", place);
    }
    Pause();
  }
  return base::OkStatus();
}

base::StatusOr<std::string> SlurmServer::Config() const {
  ASHLAR_ASSIGN_OR_RETURN(const int port, FreePort());
  const std::string& f = folder();
  const std::string user = UserName();
  std::string text = fmt::format(
      "ClusterName=ashlar\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={}\nSlurmUser={}\nSlurmdUser={}\n"
      "AuthType=auth/munge\nAuthInfo=socket={}/munge/socket\nCredType=cred/munge\n",
      port, user, user, f);
  text += fmt::format(
      "StateSaveLocation={0}/state\nSlurmdSpoolDir={0}/spool/%n\nTmpFS={0}/spool\n"
      "SlurmctldPidFile={0}/run/slurmctld.pid\nSlurmdPidFile={0}/run/slurmd-%n.pid\n"
      "SlurmctldLogFile={0}/log/slurmctld.log\nSlurmdLogFile={0}/log/slurmd-%n.log\n",
      f);
  // No cgroups and no task binding: a container has neither to give.
  text +=
      "MailProg=/bin/true\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n"
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nSwitchType=switch/none\nReturnToService=2\n"
      "SlurmdParameters=config_overrides\nSlurmctldTimeout=300\nSlurmdTimeout=300\n";
  if (!options_.health_script.empty()) {
    text += fmt::format("HealthCheckProgram={}/bin/health\nHealthCheckInterval={}\nHealthCheckNodeState=ANY\n", f,
                        options_.health_interval);
  }
  text += options_.more + "\n";
  for (int number = 1; number <= options_.nodes; ++number) {
    ASHLAR_ASSIGN_OR_RETURN(const int node_port, FreePort());
    text += fmt::format(
        "NodeName=n{0} NodeHostname=n{0} NodeAddr=127.0.0.1 Port={1} CPUs=4 RealMemory=1000 State=UNKNOWN\n", number,
        node_port);
  }
  return text + "PartitionName=main Nodes=ALL Default=YES State=UP\n";
}

base::Status SlurmServer::Start(std::vector<std::string> command, const std::string& log) {
  os::SubprocessOptions options;
  options.command = std::move(command);
  options.environment = environment();
  options.directory = "/";
  ASHLAR_ASSIGN_OR_RETURN(auto daemon, os::ChildProcess::Start(options, fmt::format("{}/{}.out", folder(), log)));
  daemons_.push_back(std::move(daemon));
  return base::OkStatus();
}

base::Status SlurmServer::StartNode(int number) {
  const std::string name = fmt::format("n{}", number);
  ASHLAR_RETURN_IF_ERROR(os::RealFileSystem().CreateDirectories(folder() + "/spool/" + name));
  return Start({folder() + "/bin/slurmd", "-D", "-d", folder() + "/bin/slurmstepd", "-N", name}, name);
}

base::StatusOr<std::string> SlurmServer::Scontrol(const std::vector<std::string>& words) const {
  std::vector<std::string> command = {"scontrol"};
  command.insert(command.end(), words.begin(), words.end());
  return RunOk(command, environment());
}

base::StatusOr<std::string> SlurmServer::WaitForNode(const std::string& node, const std::string& text) const {
  const absl::Duration start = base::SystemClock().Monotonic();
  base::StatusOr<std::string> line = "";
  do {
    line = Scontrol({"-o", "show", "node", node});
    // A blank after it: IDLE is not IDLE+NOT_RESPONDING.
    if (line.ok() && line->find(text + " ") != std::string::npos) return line;
    Pause();
  } while (base::SystemClock().Monotonic() - start < kWait);
  return base::Error(StatusCode::kDeadlineExceeded, "{} never showed \"{}\": {}", node, text,
                     line.ok() ? *line : std::string(base::Message(line.status())));
}

}  // namespace ashlar::cluster
