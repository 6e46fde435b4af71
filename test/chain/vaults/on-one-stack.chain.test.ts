import { afterAll, beforeAll } from 'vitest'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { testHostileSql } from '../analytics/hostile-sql.ts'
import { testDoctor } from '../operations/doctor.ts'
import { testShutdown } from '../operations/shutdown.ts'
import { testClaimRelay } from './claim-relay.ts'
import { testKeeper } from './keeper.ts'

// One stack for all: its start takes more than most of these tests. Hostile SQL first, which compares all rows before and after;
// the keeper restarts the service with another interval, and the last ends it again and again.
let stack: TestStack
beforeAll(async () => {
  // The time of the reader's own login stays.
  stack = await startTestStack({ hasStandby: true, apiEnvironment: { SQL_QUERY_MS: '1000' } })
})
afterAll(() => stack?.stop())

testHostileSql(() => stack)
testClaimRelay(() => stack)
testKeeper(() => stack)
testDoctor(() => stack)
testShutdown(() => stack)
