#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::ledger {
namespace {

TEST(LedgerTest, Smoke) {
  auto dir = os::TemporaryDirectory::Create();
  auto ledger = Ledger::Open({.url = dir->path() + "/ledger.db"}, base::SystemClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  for (int i = 0; i < 600; ++i) {
    auto entry = (*ledger)->Append({.kind = "node.check", .subject = "host", .actor = "test", .body = {{"i", i}}});
    ASSERT_TRUE(entry.ok()) << entry.status();
    ASSERT_EQ(entry->sequence, i);
  }
  auto report = (*ledger)->Verify({});
  ASSERT_TRUE(report.ok()) << report.status();
  for (auto& f : report->faults) ADD_FAILURE() << f.message;
  auto proof = (*ledger)->ProveEntry(300);
  ASSERT_TRUE(proof.ok()) << proof.status();
  auto fact = VerifyProof(base::WriteJson(*proof), *ParseVerifierKey((*ledger)->VerifierKey()));
  ASSERT_TRUE(fact.ok()) << fact.status();
  auto consistency = (*ledger)->ProveConsistency(257, 600);
  ASSERT_TRUE(consistency.ok()) << consistency.status();
  fact = VerifyProof(base::WriteJson(*consistency), *ParseVerifierKey((*ledger)->VerifierKey()));
  ASSERT_TRUE(fact.ok()) << fact.status();
}

}  // namespace
}  // namespace ashlar::ledger
