import { type Hex, pad, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInBloom } from '../../../api/chain/bloom.ts'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { toTransfer } from '../../../api/payments/authorization.ts'
import { proveArrival } from '../../../api/payments/prove-arrival.ts'
import { resolveRevert } from '../../../api/relayer/confirmations/resolve-revert.ts'
import { finalizeSafeBlocks } from '../../../api/relayer/loops/finalize-safe-blocks.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

const POLLING = { interval: 20 }
const stranger = devAccount('bob').account.address

/** The relay's context with a node that returns wrong data in some calls. */
function contextWith(lies: Partial<Chain>) {
  const deps = { ...harness.deps, chain: { ...harness.deps.chain, ...lies } }
  return { deps, results: new Map([[createTask.operation, createTask.result]]), onSent: () => {} } as const
}

/** An intent that was sent and mined, and whose receipt no process has read. */
async function aMinedIntent(): Promise<BoundIntent> {
  const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
  const { deps } = contextWith({ getTransactionReceipt: async () => null })
  const loops = await startLoops(deps, [createTask])
  await expect.poll(() => harness.effectsOf(intent), POLLING).toBe(1)
  await loops.stop()
  return await harness.find(intent.id)
}

async function watch(changes: Partial<Chain>): Promise<void> {
  await watchBroadcast(contextWith(changes))
}

describe('a wrong receipt', () => {
  it('given the status reverted, then the forwarder’s log completes the write', async () => {
    const intent = await aMinedIntent()
    await watch({
      getTransactionReceipt: async (hash) => flipped(await harness.deps.chain.getTransactionReceipt(hash)),
    })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed', taskId: expect.any(String) })
    expect(await harness.effectsOf(intent)).toBe(1)
  })

  it('given another block hash than at that height, then nothing is concluded until they are equal', async () => {
    const intent = await aMinedIntent()
    await watch({
      getTransactionReceipt: async (hash) => withBlock(await harness.deps.chain.getTransactionReceipt(hash), zeroHash),
    })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast', blockNumber: null })
    await watch({})
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed' })
  })

  it('given it lacks the forwarder’s log, then nothing is concluded until it has the log', async () => {
    const intent = await aMinedIntent()
    await watch({
      getTransactionReceipt: async (hash) => withoutLogs(await harness.deps.chain.getTransactionReceipt(hash)),
    })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast' })
    await watch({})
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed' })
  })
})

describe('the indexer’s row, the second confirmation source', () => {
  it('given no receipt, then the row completes the write', async () => {
    const intent = await aMinedIntent()
    await watch({ getTransactionReceipt: async () => null })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast' })
    await harness.index()
    await watch({ getTransactionReceipt: async () => null })
    const completed = await harness.find(intent.id)
    expect(completed).toMatchObject({ status: 'completed', result: { success: true, taskId: completed.taskId } })
    const receipt = await harness.deps.chain.getTransactionReceipt(completed.txHash as Hex)
    expect(completed).toMatchObject({ blockNumber: receipt?.blockNumber, blockHash: receipt?.blockHash })
  })

  it('given the node hides the logs of the row’s block, then nothing is concluded', async () => {
    const intent = await aMinedIntent()
    await harness.index()
    await watch({ getTransactionReceipt: async () => null, blockLogs: async () => ({ blockHash: zeroHash, logs: [] }) })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast' })
    await watch({})
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed' })
  })

  it('given a row of another actor’s call, then the write is not completed', async () => {
    const intent = await aMinedIntent()
    await harness.index()
    await harness.deps.sql`update relayed_intent set actor = ${stranger} where intent_id = ${intent.chainIntentId}`
    await watch({ getTransactionReceipt: async () => null })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast' })
    await watch({})
  })

  const release = () => finalizeSafeBlocks(contextWith({ safeBlockNumber: async () => (await head()).number }))
  const head = () => harness.deps.chain.latestHead()
  const isWatched = async ({ id }: BoundIntent) => {
    const [row] = await harness.deps.sql<{ watched: boolean }[]>`select watched from intents where id = ${id}`
    return row?.watched
  }

  it('given an indexer that is behind, then a safe outcome is not finalized; given its row agrees, then it is', async () => {
    await harness.deps.sql`delete from indexed_head`
    const intent = await aMinedIntent()
    await watch({})
    await release()
    expect(await isWatched(intent)).toBe(true)
    await harness.index()
    await release()
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed' })
    expect(await isWatched(intent)).toBe(false)
  })

  it('given a completed write without a row of the indexer, then it is reopened and confirmed again', async () => {
    const intent = await aMinedIntent()
    await watch({})
    await harness.index()
    await harness.deps.sql`delete from relayed_intent where intent_id = ${intent.chainIntentId}`
    await release()
    expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast', taskId: null, result: null })
    await watch({})
    await harness.index()
    await release()
    expect(await isWatched(intent)).toBe(false)
  })

  it('given a failed write with a row of the indexer, then it is completed', async () => {
    const intent = await aMinedIntent()
    await harness.deps.sql`
      update intents set status = 'failed', terminal_reason = 'the node said so' where id = ${intent.id}`
    await release()
    expect(await harness.find(intent.id)).toMatchObject({ status: 'failed' })
    await harness.index()
    await release()
    await watch({})
    expect(await harness.find(intent.id)).toMatchObject({ status: 'completed', terminalReason: null })
  })
})

describe('a send without an answer', () => {
  const chainOf = () => harness.deps.chain
  it.each<[string, (raw: Hex) => Promise<void>]>([
    ['the bytes were received', async (raw) => chainOf().sendRawTransaction(raw).then(lost)],
    ['the bytes of the first send were lost', neverTheFirst((raw) => chainOf().sendRawTransaction(raw))],
  ])('given %s, then nothing is concluded and the write completes once, with those bytes', async (_name, send) => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    const loops = await startLoops(contextWith({ sendRawTransaction: send }).deps, [createTask])
    const outcome = await harness.outcomeOf(intent.id)
    await loops.stop()
    const attempts = await harness.attemptsOf(intent.id)
    expect(attempts.map(({ hash }) => hash)).toEqual([outcome.txHash])
    expect(outcome).toMatchObject({ status: 'completed' })
    expect(await harness.effectsOf(intent)).toBe(1)
    expect(await harness.wallets.balanceOf(payer.address)).toBe(0n)
  })
})

describe('a service that is stopped', () => {
  it('given it is relaying, then every signed transaction was sent before it ended', async () => {
    const payer = await harness.wallets.funded(12n * REWARD)
    const intents = await Promise.all(Array.from({ length: 12 }, () => harness.bindCreate(payer)))
    const loops = await startLoops(harness.deps, [createTask])
    const ids = intents.map(({ id }) => id)
    const signed = () => harness.deps.sql`select hash from attempts where intent_id = any(${ids}::uuid[])`
    await expect.poll(async () => (await signed()).length, POLLING).toBeGreaterThan(0)
    await loops.stop()
    expect(await harness.deps.sql`select hash from attempts where sent_at is null`).toEqual([])
    const again = await startLoops(harness.deps, [createTask])
    for (const { id } of intents) expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
    await again.stop()
  })
})

describe('the bloom of a block', () => {
  it('given the addresses with logs in it, then it contains them, and not all others', async () => {
    const { forwarder } = harness.deps.deployment
    const intent = await aMinedIntent()
    await watch({})
    const blockNumber = (await harness.find(intent.id)).blockNumber ?? 0n
    const { logsBloom } = await harness.stack.client.getBlock({ blockNumber })
    expect(isInBloom(logsBloom, forwarder)).toBe(true)
    const others = Array.from({ length: 50 }, (_, index) => pad(toHex(index + 1), { size: 20 }))
    expect(others.some((address) => !isInBloom(logsBloom, address))).toBe(true)
  })
})

describe('a node that is behind', () => {
  it('given its head is older than the bind, then no outcome is resolved from it', async () => {
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    const head = await harness.deps.chain.latestHead()
    const { deps } = contextWith({ confirmedHead: async () => ({ ...head, number: intent.boundAtBlock - 1n }) })
    await expect(resolveRevert(deps, intent, null)).rejects.toBeInstanceOf(ChainUnavailable)
  })

  it('given a simulation on its old state reverts, then the call is simulated again, not failed', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    const { chain } = harness.deps
    let asked = 0
    const { deps } = contextWith({
      simulate: (call) => {
        const isPinned = call.blockNumber !== undefined
        if (!call.data.includes(intent.chainIntentId.slice(2))) return chain.simulate(call)
        asked += isPinned ? 0 : 1
        const revert = { errorName: 'TaskNotFound', message: 'no such task', data: null }
        return asked < 3 && !isPinned ? Promise.resolve({ outcome: 'reverted', revert }) : chain.simulate(call)
      },
    })
    const loops = await startLoops(deps, [createTask])
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed' })
    await loops.stop()
    expect(asked).toBe(3)
    expect(await harness.wallets.balanceOf(payer.address)).toBe(0n)
  })

  it('given a block that it does not have, then reads of that block are unavailable', async () => {
    const { chain, deployment } = harness.deps
    const blockNumber = (await chain.latestHead()).number + 100n
    const call = { from: stranger, to: deployment.forwarder, data: '0x' as const, gasLimit: 100_000n, blockNumber }
    await expect(chain.simulate(call)).rejects.toBeInstanceOf(ChainUnavailable)
  })

  it('given a log of a used authorization and no receipt of it, then the state is unavailable, not unproven', async () => {
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    const { boundAtBlock } = intent
    const payment = getPayment(intent)
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, payment))
    for (const receipt of [
      async () => null,
      async (hash: Hex) => flipped(await harness.deps.chain.getTransactionReceipt(hash)),
    ]) {
      const { deps } = contextWith({ getTransactionReceipt: receipt })
      const proof = proveArrival(deps, toTransfer(deps.deployment, payment), { fromBlock: boundAtBlock })
      await expect(proof).rejects.toBeInstanceOf(ChainUnavailable)
    }
    expect(
      await proveArrival(harness.deps, toTransfer(harness.deps.deployment, payment), { fromBlock: boundAtBlock }),
    ).toMatchObject({ outcome: 'arrived' })
  })
})

type Receipt = Awaited<ReturnType<Chain['getTransactionReceipt']>>

function flipped(receipt: Receipt): Receipt {
  return receipt === null ? null : { ...receipt, succeeded: !receipt.succeeded, logs: [] }
}

function withBlock(receipt: Receipt, blockHash: Hex): Receipt {
  return receipt === null ? null : { ...receipt, blockHash }
}

function withoutLogs(receipt: Receipt): Receipt {
  return receipt === null ? null : { ...receipt, logs: [] }
}

function lost(): never {
  throw new ChainUnavailable('the answer was lost')
}

/** Drops the first send. */
function neverTheFirst(send: (raw: Hex) => Promise<void>): (raw: Hex) => Promise<void> {
  let isFirst = true
  return async (raw) => {
    if (!isFirst) return await send(raw)
    isFirst = false
    return lost()
  }
}
