import { type Hex, numberToHex, type PrivateKeyAccount, pad } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Chain } from '../../../api/chain/chain.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { authorizationTypedData, toTransfer } from '../../../api/payments/authorization.ts'
import { paymentRequirement } from '../../../api/payments/challenge.ts'
import { returnOrphanedPayments } from '../../../api/relayer/loops/return-orphaned-payments.ts'
import { acceptPayment } from '../../../api/writes/stages/accept-payment.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness

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

/** Loops as often as its first slot says, then accepts every signature. */
const WALLET = '0x5f545b8015600f57600190036002565b631626ba7e60e01b5f5260205ff3'

async function makeContract(account: PrivateKeyAccount, rounds: bigint, code = WALLET): Promise<void> {
  const { anvil } = harness.stack
  await anvil.request('anvil_setStorageAt', [account.address, pad('0x0'), pad(numberToHex(rounds))])
  await anvil.request('anvil_setCode', [account.address, code])
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testHostile(harnessOf: () => RelayHarness): void {
  describe('hostile accounts', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('a stolen relayer key', () => {
      it('given a transaction with the intent’s id and other contents, then the intent is never completed', async () => {
        const payer = await harness.wallets.funded(2n * REWARD)
        const [intent, other] = [await harness.bindCreate(payer), await harness.bindCreate(payer)]
        await harness.deps.sql`update intents set status = 'failed' where id = ${other.id}`
        await relayWithStolenKey(
          transactionOfIntent({ ...intent, calldata: other.calldata }, harness.deps.deployment).data,
        )
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
        const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted: requirement, payload })).toString(
          'base64',
        )
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
        expect((error as ServiceError).options.intent).toMatchObject({
          intentId: faster[0]?.id,
          intentStatus: 'completed',
        })
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
  })
}
