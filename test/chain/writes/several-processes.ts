import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import type { Relayer } from '../../../api/relayer/signers/relayer.ts'
import type { Attempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { createRecentSimulations } from '../../../api/relayer/transactions/recent-simulations.ts'
import { actionJob } from '../../../api/relayer/transactions/relay-job.ts'
import { createRelayerBalances } from '../../../api/relayer/transactions/relayer-balances.ts'
import { replaceTransaction } from '../../../api/relayer/transactions/replace-transaction.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

const POLLING = { interval: 20 }

/** A process with the keys of these relayers only. */
function processWith(relayers: readonly Relayer[]) {
  const [first, ...rest] = relayers
  if (first === undefined) throw new Error('the process has no key')
  const relayer = {
    accounts: [first, ...rest] as const,
    balances: createRelayerBalances(relayers, 3_000_000n),
    simulations: createRecentSimulations(),
  }
  return {
    deps: { ...harness.deps, relayer },
    results: new Map([[createTask.operation, createTask.result]]),
    onSent: () => {},
  }
}

/** Runs the relay with these keys until the test ends, or the returned function is called. */
async function relayWith(relayers: readonly Relayer[]): Promise<() => Promise<void>> {
  const loops = await startLoops(processWith(relayers).deps, [createTask])
  onTestFinished(() => loops.stop())
  return loops.stop
}

function relayerAt(index: number): Relayer {
  const relayer = harness.deps.relayer.accounts[index]
  if (relayer === undefined) throw new Error(`there is no relayer ${index}`)
  return relayer
}

/** An intent whose transaction is in the pool, sent by a process with this key that has ended. */
async function sendAndLeave(relayer: Relayer): Promise<{ intent: BoundIntent; attempt: Attempt }> {
  const payer = await harness.wallets.funded(REWARD)
  await harness.stack.anvil.request('evm_setAutomine', [false])
  const { id } = await harness.bindCreate(payer)
  const leave = await relayWith([relayer])
  await expect.poll(async () => (await harness.attemptsOf(id))[0]?.silentSeconds, POLLING).toBeTypeOf('number')
  await leave()
  const [attempt] = await harness.attemptsOf(id)
  if (attempt === undefined) throw new Error('nothing was signed')
  return { intent: await harness.find(id), attempt }
}

const setBalance = async (relayer: Relayer, wei: bigint): Promise<void> => {
  await harness.stack.anvil.request('anvil_setBalance', [relayer.address, `0x${wei.toString(16)}`])
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testProcesses(harnessOf: () => RelayHarness): void {
  describe('several processes', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    it('given it replaces a transaction whose nonce was given up, then it can only send old bytes', async () => {
      const relayer = relayerAt(0)
      const { intent: seen, attempt } = await sendAndLeave(relayer)
      // Another process has given the intent another nonce.
      await harness.deps.sql`update intents set relay_after = now() where id = ${seen.id}`
      const before = await harness.find(seen.id)
      const old = { ...attempt, ageSeconds: 1_000, silentSeconds: 1_000 }
      await replaceTransaction(processWith([relayer]), {
        job: actionJob(seen, harness.deps.deployment),
        attempt: old,
        minedNonce: attempt.nonce,
      })
      expect(await harness.attemptsOf(seen.id)).toHaveLength(1)
      await replaceTransaction(processWith([relayer]), {
        job: actionJob(seen, harness.deps.deployment),
        attempt: old,
        minedNonce: attempt.nonce + 1n,
      })
      expect(await harness.find(seen.id)).toEqual(before)
      await harness.stack.anvil.request('evm_mine')
      await relayWith([relayer])
      expect(await harness.outcomeOf(seen.id)).toMatchObject({ status: 'completed' })
      expect(await harness.effectsOf(seen)).toBe(1)
    })

    it('given a nonce without a transaction, then a cancellation transaction fills it and later ones continue', async () => {
      const relayer = relayerAt(2)
      const stop = await relayWith([relayer])
      await stop()
      await harness.deps.sql`update relayers set next_nonce = next_nonce + 2 where address = ${relayer.address}`
      const { id } = await harness.bindCreate(await harness.wallets.funded(REWARD))
      await relayWith([relayer])
      expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
      const [row] = await harness.deps.sql<{ next: bigint }[]>`
      select next_nonce as next from relayers where address = ${relayer.address}`
      expect(row?.next).toBe(await harness.deps.chain.getTransactionCount(relayer.address))
    })

    it('given one of two is empty, then the other signs everything', async () => {
      const [empty, funded] = [relayerAt(0), relayerAt(1)]
      await setBalance(empty, 0n)
      onTestFinished(() => setBalance(empty, 10n ** 20n))
      const payer = await harness.wallets.funded(4n * REWARD)
      const intents = await Promise.all([1, 2, 3, 4].map(() => harness.bindCreate(payer)))
      await relayWith([empty, funded])
      for (const { id } of intents) {
        expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
        expect((await harness.attemptsOf(id)).map(({ relayer }) => relayer)).toEqual([funded.address])
      }
    })
  })
}
