import { afterAll, afterEach, beforeAll } from 'vitest'
import { testAnnouncedRefunds } from './announced-refunds.ts'
import { testBoundPayments } from './bound-payments.ts'
import { testContractRefunds } from './contract-refunds.ts'
import { testForeignCalls } from './foreign-calls.ts'
import { testHeldIntents } from './held-intents.ts'
import { testHostile } from './hostile.ts'
import { testOutbox } from './outbox.ts'
import { type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { testWithdrawals } from './withdrawals.ts'

// One chain and one database for all. The outbox is first: it counts the nonces of relayers that nothing else has used. The
// last gives the forwarder another limit of the day.
let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())
// Some leave transactions in the pool.
afterEach(() => harness.stack.anvil.request('evm_setAutomine', [true]))

testOutbox(() => harness)
testWithdrawals(() => harness)
testBoundPayments(() => harness)
testHeldIntents(() => harness)
testForeignCalls(() => harness)
testHostile(() => harness)
testContractRefunds(() => harness)
testAnnouncedRefunds(() => harness)
