#include "bench/read/dialects/megatron.h"

#include <array>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

// A field of the log, and what it is here.
struct Field {
  std::string_view key;
  const char* name;
  const char* unit;
  double factor;
};
constexpr std::array kFields = {
    Field{"elapsed time per iteration (ms)", "iteration_time", "seconds", 1e-3},
    Field{"throughput per GPU (TFLOP/s/GPU)", "throughput_per_gpu", "flop_per_second", 1e12},
    Field{"TFLOPs", "throughput_per_gpu", "flop_per_second", 1e12},
    Field{"energy per GPU (J/iter/GPU)", "energy_per_gpu", "joules", 1},
    Field{"power per GPU (W/GPU)", "power_per_gpu", "watts", 1},
    Field{"samples per second", "sample_rate", "samples_per_second", 1},
    Field{"consumed samples", "consumed_samples", "samples", 1},
    Field{"consumed tokens", "consumed_tokens", "tokens", 1},
    Field{"global batch size", "global_batch_size", "samples", 1},
    Field{"learning rate", "learning_rate", "", 1},
    Field{"lm loss", "lm_loss", "", 1},
    Field{"loss scale", "loss_scale", "", 1},
    Field{"grad norm", "gradient_norm", "", 1},
    Field{"number of skipped iterations", "skipped_iterations", "iterations", 1},
    Field{"number of nan iterations", "nan_iterations", "iterations", 1},
};

class MegatronReader : public DialectReader {
 public:
  explicit MegatronReader(EmitRun emit) : emit_(std::move(emit)) {}

  void Take(const ReadLine& line) override {
    const std::string_view text = AfterTimestamp(line.text);
    if (!text.starts_with("iteration ") || text.find('|') == std::string_view::npos) return;
    const std::string_view counter = text.substr(10, text.find('|') - 10);
    const size_t slash = counter.find('/');
    if (slash == std::string_view::npos) return;
    const auto iteration = base::ParseUint64(base::Trim(counter.substr(0, slash)));
    const auto last = base::ParseUint64(base::Trim(counter.substr(slash + 1)));
    if (!iteration || !last) return;
    // A lower number is another run, or one that began again from a checkpoint.
    if (is_open_ && (*iteration <= iteration_ || *last != last_)) Finish();
    Begin(line, *iteration, *last);
    TakeFields(line, text.substr(text.find('|') + 1));
  }

  void Finish() override {
    if (!is_open_) return;
    run_.is_complete = iteration_ == last_;
    is_open_ = false;
    emit_(std::move(run_));
    run_ = {};
  }

 private:
  // " [2026-01-02 03:04:05] iteration ..." or " iteration ...".
  static std::string_view AfterTimestamp(std::string_view text) {
    text = base::Trim(text);
    if (!text.starts_with('[')) return text;
    const size_t end = text.find(']');
    return end == std::string_view::npos ? text : base::Trim(text.substr(end + 1));
  }

  void Begin(const ReadLine& line, uint64_t iteration, uint64_t last) {
    if (!is_open_) {
      is_open_ = true;
      run_.dialect = "megatron";
      run_.tool = "Megatron-LM";
      run_.test = "training";
      run_.source.first_line = line.number;
    }
    run_.source.last_line = line.number;
    iteration_ = iteration;
    last_ = last;
  }

  void TakeFields(const ReadLine& line, std::string_view text) {
    if (run_.samples.size() >= kMostRows) {
      Note(line.number, fmt::format("more than {} iterations: the rest is left out", kMostRows));
      return;
    }
    Sample sample{.line = line.number, .labels = {{"iteration", iteration_}, {"last_iteration", last_}}};
    bool has_loss = false;
    for (const std::string_view piece : base::Split(text, '|')) {
      const size_t colon = piece.rfind(':');
      if (colon == std::string_view::npos) continue;
      const std::string_view key = base::Trim(piece.substr(0, colon));
      has_loss |= key.ends_with("loss");
      for (const Field& field : kFields) {
        if (field.key == key) TakeField(line.number, field, base::Trim(piece.substr(colon + 1)), sample);
      }
    }
    // The line ends with a bar; a loss is left out when it is negative or no number.
    if (!base::Trim(text).ends_with('|')) Note(line.number, "the line of this iteration is cut");
    if (!has_loss) Note(line.number, fmt::format("iteration {} has no loss: it was negative or NaN", iteration_));
    run_.samples.push_back(std::move(sample));
  }

  void TakeField(uint64_t line, const Field& field, std::string_view text, Sample& sample) {
    const auto number = ParsePrinted(text);
    if (!number) {
      Note(line, fmt::format("{} is no figure: {}", field.key, base::Utf8Text(text.substr(0, 40))));
      return;
    }
    sample.quantities.push_back({.name = field.name, .value = number->value * field.factor, .unit = field.unit});
  }

  void Note(uint64_t line, std::string text) {
    if (run_.notes.size() < kMostNotes) {
      run_.notes.push_back({.line = line, .text = std::move(text), .is_damage = true});
    }
  }

  EmitRun emit_;
  RunRecord run_;
  bool is_open_ = false;
  uint64_t iteration_ = 0;
  uint64_t last_ = 0;
};

}  // namespace

std::unique_ptr<DialectReader> MakeMegatronReader(EmitRun emit) {
  return std::make_unique<MegatronReader>(std::move(emit));
}

}  // namespace ashlar::bench
