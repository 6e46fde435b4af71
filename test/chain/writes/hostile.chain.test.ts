import { randomUUID } from 'node:crypto'
import { type Hex, numberToHex, type PrivateKeyAccount, pad, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { authorizationTypedData, toTransfer } from '../../../api/payments/authorization.ts'
import { paymentRequirement } from '../../../api/payments/challenge.ts'
import { returnOrphanedPayments } from '../../../api/relayer/loops/return-orphaned-payments.ts'
import type { AnyWrite } from '../../../api/writes/relayed-write.ts'
import { acceptPayment } from '../../../api/writes/stages/accept-payment.ts'
import { bindCall } from '../../../api/writes/stages/bind-call.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

const stranger = devAccount('bob').account.address

async function relay(): Promise<void> {
  const loops = await harness.startRelay()
  onTestFinished(() => loops.stop())
}

/** Sends a transaction with a stolen relayer key. */
async function relayWithStolenKey(data: Hex): Promise<void> {
  await harness.wallets.sendAs(harness.deps.relayer.accounts[0].address, {
    to: harness.deps.deployment.forwarder,
    data,
  })
}

describe('a stolen relayer key', () => {
  it('given a transaction with the intent’s id and other contents, then the intent is never completed', async () => {
    const payer = await harness.wallets.funded(2n * REWARD)
    const [intent, other] = [await harness.bindCreate(payer), await harness.bindCreate(payer)]
    await harness.deps.sql`update intents set status = 'failed' where id = ${other.id}`
    await relayWithStolenKey(transactionOfIntent({ ...intent, calldata: other.calldata }, harness.deps.deployment).data)
    await relay()
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'held' })
  })

  it('given an operator closes an intent whose payment it spent, then no refund is created', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    await relayWithStolenKey(
      transactionOfIntent({ ...intent, chainIntentId: pad(numberToHex(77n)) }, harness.deps.deployment).data,
    )
    await relay()
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'held' })
    await harness.deps.sql`select close_held_intent(${intent.id}, 'a stolen key spent it')`
    await returnOrphanedPayments(harness.deps)
    expect(await harness.find(intent.id)).toMatchObject({ status: 'failed', refundStatus: null })
  })
})

/** Loops as often as its first slot says, then accepts every signature. */
const WALLET = '0x5f545b8015600f57600190036002565b631626ba7e60e01b5f5260205ff3'

async function makeContract(account: PrivateKeyAccount, rounds: bigint, code = WALLET): Promise<void> {
  const { anvil } = harness.stack
  await anvil.request('anvil_setStorageAt', [account.address, pad('0x0'), pad(numberToHex(rounds))])
  await anvil.request('anvil_setCode', [account.address, code])
}

describe('a contract as payer', () => {
  it.each([
    ['answers', WALLET, 0n, true],
    ['uses all gas', WALLET, 1n << 200n, false],
    ['runs into an invalid opcode', '0xfe', 0n, false],
    ['underflows its stack', '0x01', 0n, false],
    ['has an invalid jump', '0x5f56', 0n, false],
    ['stops without a return value', '0x00', 0n, false],
    ['reverts', '0x5f5ffd', 0n, false],
    ['returns too few bytes', '0x631626ba7e60e01b5f5260045ff3', 0n, false],
    ['returns a byte that no code may begin with', '0x60ef60f81b5f5260205ff3', 0n, false],
  ])(
    'given its code %s, then its signature is refused, and the node is not reported',
    async (_name, code, rounds, validity) => {
      const account = await harness.wallets.funded(1n)
      await makeContract(account, rounds, code)
      const { chain } = harness.deps
      const signed = { address: account.address, message: 'service:read', signature: '0x1234' } as const
      expect(await chain.verifyMessage(signed)).toBe(validity)
    },
  )

  it('given its signature check needs more gas after bind, then nothing is sent and nothing charged', async () => {
    const payer = await harness.wallets.funded(REWARD)
    await makeContract(payer, 0n)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, 500_000n)
    await relay()
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'failed', refundStatus: null })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
  })
})

describe('a payer whose signature check never ends', () => {
  it('given its authorization has expired unused, then the write fails without a simulation', async () => {
    const { chain } = harness.deps
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    const { simulate } = chain
    const ended = getPayment(intent).validBefore
    Object.assign(chain, { simulate: () => Promise.reject(new ChainUnavailable('the wallet gives no answer')) })
    onTestFinished(() => void Object.assign(chain, { simulate }))
    await relay()
    await harness.stack.anvil.request('evm_setNextBlockTimestamp', [Number(ended)])
    await harness.stack.anvil.request('evm_mine')
    expect(await harness.outcomeOf(intent.id)).toMatchObject({
      status: 'failed',
      refundStatus: null,
      txHash: null,
      terminalReason: 'the authorization expired before the write could act',
    })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
  })

  it('given it was settled before its expiry, then the write continues with the received payment', async () => {
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
    await harness.stack.anvil.request('evm_setNextBlockTimestamp', [Number(getPayment(intent).validBefore)])
    await harness.stack.anvil.request('evm_mine')
    await relay()
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
  })
})

describe('a payment that two requests present at the same time', () => {
  it('given one completes before the other reads the chain, then the other’s answer names it, and no refund', async () => {
    const { deps } = harness
    const payer = await harness.wallets.funded(REWARD)
    const { timestamp } = await deps.chain.latestHead()
    const terms = { nonce: pad(numberToHex(4_711n)), validBefore: timestamp + 300n }
    const faster: BoundIntent[] = []
    const read: Chain['readContract'] = async (call) => {
      if (faster.length === 0) {
        const intent = await harness.bindCreate(payer, terms)
        faster.push(intent)
        await relay()
        await harness.outcomeOf(intent.id)
      }
      return await deps.chain.readContract(call)
    }
    const authorization = { from: payer.address.toLowerCase() as Hex, value: REWARD, validAfter: 0n, ...terms }
    const signature = await payer.signTypedData(
      authorizationTypedData(
        deps.deployment,
        toTransfer(deps.deployment, { ...authorization, signature: '0x' }),
      ) as never,
    )
    const requirement = paymentRequirement(deps.deployment, REWARD)
    const wire = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, String(value)]))
    const payload = { signature, authorization: { ...wire, to: deps.deployment.forwarder } }
    const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted: requirement, payload })).toString('base64')
    const taken = acceptPayment(
      { ...deps, chain: { ...deps.chain, readContract: read } },
      {
        header,
        requirement,
        ...(await deps.chain.latestClocks()),
        intent: {},
        operation: 'tasks.create',
        reject: ({ message, detail }) => new ServiceError(402, 'payment_rejected', message, { detail }),
      },
    )
    await expect(taken).rejects.toMatchObject({ reason: 'payment_already_spent' })
    const error = await taken.catch((caught: ServiceError) => caught)
    expect((error as ServiceError).options.intent).toMatchObject({ intentId: faster[0]?.id, intentStatus: 'completed' })
  })
})

describe('a payment that another wallet settles between its verification and the bind', () => {
  it('given the call would revert for that reason, then the payment is refunded, and the answer says so', async () => {
    const { deps } = harness
    const payer = await harness.wallets.funded(REWARD)
    const spare = await harness.bindCreate(payer)
    // Its payment is like one that was just verified; nothing is bound to it.
    await deps.sql`update intents set status = 'failed', payment_nonce = ${zeroHash} where id = ${spare.id}`
    const head = await deps.chain.latestHead()
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(spare)))
    const bound = bindCall(deps, {
      write: createTask as AnyWrite,
      input: parsedWithOwnSalt(createTask, { description: 'a task', reward: String(REWARD), duration: 24, tags: [] }),
      subject: { entriesPaused: false },
      head,
      key: randomUUID(),
      intentId: randomUUID(),
      mode: 'paid',
      signed: null,
      rateLimits: { require: async () => {}, consume: async () => {}, refund: async () => {} },
      address: getPayment(spare).from,
      payment: getPayment(spare),
      isRelayed: false,
      consent: null,
    })
    await expect(bound).rejects.toMatchObject({
      status: 409,
      reason: 'payment_already_spent',
      message: expect.stringContaining('goes back to the payer'),
    })
    await relay()
    await expect.poll(() => harness.wallets.balanceOf(payer.address)).toBe(REWARD)
  })
})

describe('a reorg that moves another wallet’s settlement below the block of the bind', () => {
  it('given the relay looks for it, then the write is relayed in prepaid mode', async () => {
    const { anvil } = harness.stack
    const payer = await harness.wallets.funded(REWARD)
    for (let block = 0; block < 4; block += 1) await anvil.request('evm_mine')
    const intent = await harness.bindCreate(payer)
    const { data } = submitAlone(harness.stack.deployment, getPayment(intent))
    await anvil.request('anvil_reorg', [3, [[{ from: stranger, to: harness.deps.deployment.usdc, data }, 0]]])
    await relay()
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
  })
})
