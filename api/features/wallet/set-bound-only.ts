import { parseEventLogs } from 'viem'
import { z } from 'zod'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { InputOf } from '../../../protocol/operation.ts'
import { setBoundOnly as entry, switchOf } from '../../../protocol/operations/set-bound-only.ts'
import { type Clocks, ends, judgeEnd } from '../../../protocol/windows.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { addressText, signatureText, unixSecondsNumber, wholeText } from '../../http/request-schemas.ts'
import { addressOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import type { MinedWrite } from '../../intents/write-result.ts'
import { readSwitchCounter } from '../../payments/bound-only-switch.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/** The largest number of decimal digits of a wallet's counter in the forwarder contract. A counter is a uint64. */
const COUNTER_DIGITS = 20

/** The state of the forwarder that the rules check. */
interface Subject {
  /**
   * The counter that the wallet's next signed switch must contain. Null if the deployment's forwarder does not support
   * bound payments.
   */
  counter: bigint | null
}

type Input = InputOf<typeof entry>

/**
 * Sets whether a wallet accepts only payments and signed texts that are bound to one call. See the interface
 * specification, "Bound payments".
 *
 * Example: `POST /api/wallet/bound-only` with `{"walletAddress": "0x7099..", "boundOnly": true, "counter": "0",
 * "validBefore": 1795388767, ..}` answers `{"txHash": "0x9a41..", "walletAddress": "0x7099..", "boundOnly": true}`.
 */
export const setBoundOnly = defineWrite(entry, {
  body: z.object({
    walletAddress: addressText,
    boundOnly: z.boolean().meta({ description: '`true` switches it on, `false` off.' }),
    counter: wholeText(COUNTER_DIGITS).meta({
      description: 'That of `GET /wallet/bound-only`, as a decimal string: each is used once.',
    }),
    validBefore: unixSecondsNumber.meta({
      description: `Unix seconds, ${ends.boundOnlySwitch.least} to ${ends.boundOnlySwitch.most} from now.`,
    }),
    signature: signatureText.meta({
      description:
        'EIP-191 by the wallet over `<service>:bound-only:<on|off>:<chainId>:<forwarder>:<wallet>:<counter>:<validBefore>`, ' +
        'addresses in lower case.',
    }),
  }),
  response: z.object({ txHash: hashOut, walletAddress: addressOut, boundOnly: z.boolean() }),
  load: (deps, input) => loadSubject(deps, input),
  facts: {},
  preflight: (subject, input, { clocks }) => refuseSwitch(subject, input, clocks),
  amount: () => 0n,
  result: toResult,
})

async function loadSubject(deps: WriteDeps, input: Input): Promise<Subject> {
  return { counter: deps.deployment.bound === true ? await readSwitchCounter(deps, switchOf(input)) : null }
}

function refuseSwitch({ counter: next }: Subject, { counter, validBefore }: Input, clocks: Clocks): Refusal | null {
  if (next === null) {
    return refuse(409, 'no_bound_calls', 'The forwarder of this deployment is from before bound payments.')
  }
  const problem = judgeEnd(ends.boundOnlySwitch, validBefore, { clocks, field: 'validBefore' })
  if (problem !== null) return refuse(400, problem.detail, problem.message, { field: 'validBefore' })
  if (counter === next) return null
  return refuse(409, 'nonce_not_next', `The counter is not the wallet’s next one, which is ${next}.`, {
    field: 'counter',
  })
}

function toResult({ txHash, target, logs, actor }: MinedWrite) {
  const [set] = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'BoundOnlySet', logs: [...logs] }).filter(
    (log) => log.address.toLowerCase() === target && log.args.wallet.toLowerCase() === actor,
  )
  if (set === undefined) throw new Error(`the transaction sets no switch of ${actor}`)
  return { body: { txHash, walletAddress: toAddress(actor), boundOnly: set.args.on } }
}
