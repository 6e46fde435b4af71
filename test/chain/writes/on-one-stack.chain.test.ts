import { afterAll, beforeAll } from 'vitest'
import { type OtlpCollector, startOtlpCollector } from '../../support/otlp-collector.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { testHostileSql } from '../analytics/hostile-sql.ts'
import { testBooks } from '../operations/books.ts'
import { testDoctor } from '../operations/doctor.ts'
import { testObservedWrite } from '../operations/observed-write.ts'
import { testShutdown } from '../operations/shutdown.ts'
import { testClaimRelay } from '../vaults/claim-relay.ts'
import { testContractWallets } from './contract-wallets.ts'
import { testManyWinners } from './many-winners.ts'
import { testMints } from './mints.ts'
import { testPaidWrites } from './paid-writes.ts'
import { testTokenWithdrawals } from './token-withdrawals.ts'

// One chain, indexer, standby and service for all: their start takes more than most of these tests. The mints read every block,
// line and row, so they are first. The shutdown begins with a second signal before the drain is over, and starts the service again
// and again. The last moves the chain's clock beyond what payments allow.
let stack: TestStack
let collector: OtlpCollector
beforeAll(async () => {
  collector = await startOtlpCollector()
  stack = await startTestStack({
    hasStandby: true,
    apiEnvironment: {
      LOG_LEVEL: 'trace',
      MINT_ANSWER_MS: '15000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // The time of the reader's own login stays.
      SQL_QUERY_MS: '1000',
      SHUTDOWN_DRAIN_MS: '60000',
    },
  })
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
testHostileSql(() => stack)
testBooks(() => stack)
testPaidWrites(() => stack)
testContractWallets(() => stack)
testTokenWithdrawals(() => stack)
testClaimRelay(() => stack)
testDoctor(() => stack)
testShutdown(() => stack)
testManyWinners(() => stack)
