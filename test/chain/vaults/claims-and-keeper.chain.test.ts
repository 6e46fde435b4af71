import { afterAll, beforeAll } from 'vitest'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { testClaimRelay } from './claim-relay.ts'
import { testKeeper } from './keeper.ts'
import { testKeeperCycles } from './keeper-cycles.ts'

// One stack for all. The last restarts the service with another interval of the keeper.
let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack?.stop())

testClaimRelay(() => stack)
testKeeperCycles(() => stack)
testKeeper(() => stack)
