import { isDeep } from '../../support/depth.ts'
import { expectAgentsEqual } from './expect-agents.ts'
import { expectBonusEqual } from './expect-bonus.ts'
import { expectBooksEqual } from './expect-books.ts'
import { expectDaysEqual } from './expect-days.ts'
import { expectEntriesEqual, expectSubmissionsEqual, expectWorklistColumnsEqual } from './expect-entries.ts'
import { expectEvaluationsEqual, expectHooksEqual } from './expect-evaluations.ts'
import { expectEventsEqual } from './expect-events.ts'
import { expectHistoryEqual } from './expect-history.ts'
import { expectIdentitiesEqual } from './expect-identities.ts'
import { expectLedgerEqual } from './expect-ledger.ts'
import { expectCountersEqual, expectMarketEqual, expectRelaysEqual } from './expect-money.ts'
import { expectBidsEqual, expectPitchesEqual, expectProofsEqual } from './expect-offers.ts'
import { expectAwardsEqual, expectClaimsEqual } from './expect-settlements.ts'
import { expectTasksEqual } from './expect-tasks.ts'
import { expectVaultsEqual } from './expect-vaults.ts'
import { expectViewsEqual } from './expect-views.ts'
import type { Subject } from './expectation.ts'

/** Every table, view and sum of the read model against the contracts' views, and where they have none, against their logs. */
export async function expectAllEqual(subject: Subject, url: string): Promise<void> {
  await expectHistoryEqual(subject)
  await expectTasksEqual(subject)
  await expectEntriesEqual(subject)
  await expectWorklistColumnsEqual(subject)
  await expectSubmissionsEqual(subject)
  await expectPitchesEqual(subject)
  await expectBidsEqual(subject)
  await expectProofsEqual(subject)
  await expectEvaluationsEqual(subject)
  await expectHooksEqual(subject)
  await expectClaimsEqual(subject)
  await expectAwardsEqual(subject)
  await expectMarketEqual(subject)
  await expectRelaysEqual(subject)
  await expectCountersEqual(subject)
  await expectIdentitiesEqual(subject)
  await expectAgentsEqual(subject)
  await expectBonusEqual(subject)
  await expectVaultsEqual(subject)
  await expectLedgerEqual(subject)
  await expectViewsEqual(subject)
  // Most of the time of all of this: time passes by weeks, and each day is summed up.
  if (isDeep) await expectDaysEqual(url)
  await expectEventsEqual(url, subject)
  await expectBooksEqual(subject.chain, url)
}
