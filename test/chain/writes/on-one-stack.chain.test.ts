import { afterAll, beforeAll } from 'vitest'
import { type OtlpCollector, startOtlpCollector } from '../../support/otlp-collector.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { testBooks } from '../operations/books.ts'
import { testObservedWrite } from '../operations/observed-write.ts'
import { testBoundContractWallets } from './bound-contract-wallets.ts'
import { testContractWallets } from './contract-wallets.ts'
import { testManyWinners } from './many-winners.ts'
import { testMints } from './mints.ts'
import { testPaidWrites } from './paid-writes.ts'
import { testRefusals } from './refusals.ts'
import { testTokenWithdrawals } from './token-withdrawals.ts'

// One chain, indexer and database for all: their start takes more than most of these tests. The mints read every block and
// start the service with settings of their own, so they are first; the next starts it anew, with a count of no writes, for
// itself and the rest. The last moves the chain's clock beyond what payments allow.
let stack: TestStack
let collector: OtlpCollector
beforeAll(async () => {
  collector = await startOtlpCollector()
  stack = await startTestStack({ api: false })
})
afterAll(async () => {
  await stack?.stop()
  await collector?.stop()
})

testMints(() => stack)
testObservedWrite(
  () => stack,
  () => collector,
)
testBooks(() => stack)
testRefusals(() => stack)
testPaidWrites(() => stack)
testContractWallets(() => stack)
testBoundContractWallets(() => stack)
testTokenWithdrawals(() => stack)
testManyWinners(() => stack)
