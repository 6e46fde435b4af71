import { type Hex, numberToHex, pad } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Chain } from '../../../api/chain/chain.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { authorizationTypedData, toTransfer } from '../../../api/payments/authorization.ts'
import { paymentRequirement } from '../../../api/payments/challenge.ts'
import { acceptPayment } from '../../../api/writes/stages/accept-payment.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

/** Loops as often as its first slot says, then accepts every signature. */
const WALLET = '0x5f545b8015600f57600190036002565b631626ba7e60e01b5f5260205ff3'

/** Registers these tests, on a relay that the caller starts and ends. */
export function testHostile(harnessOf: () => RelayHarness): void {
  describe('hostile accounts', () => {
    beforeAll(() => {
      harness = harnessOf()
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
          const { address } = privateKeyToAccount(generatePrivateKey())
          const { anvil } = harness.stack
          await anvil.request('anvil_setStorageAt', [address, pad('0x0'), pad(numberToHex(rounds))])
          await anvil.request('anvil_setCode', [address, code])
          const signed = { address, message: 'service:read', signature: '0x1234' } as const
          expect(await harness.deps.chain.verifyMessage(signed)).toBe(validity)
        },
      )
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
            const loops = await harness.startRelay()
            onTestFinished(() => loops.stop())
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
  })
}
