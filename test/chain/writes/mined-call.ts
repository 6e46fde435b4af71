import { decodeFunctionData, type Hex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import type { Client } from '../../../client/src/create-client.ts'
import type { Environment } from '../../support/conformance.ts'

/** A call in a transaction, and the function of the forwarder that made it; null: none did. */
export interface MinedCall {
  functionName: string | null
  target: string
  data: Hex
}

/** Makes a write, and reads the call in its transaction. @throws unless it is completed */
export async function makeWrite(
  { client, environment: { chain } }: { client: Client; environment: Pick<Environment, 'chain'> },
  write: WriteName,
  input: object,
): Promise<MinedCall> {
  const outcome = await client.write(write, input as never)
  if (outcome.kind !== 'completed') throw new Error(`${write}: ${JSON.stringify(outcome)}`)
  const record = await client.http.GET('/api/intents', { params: { query: { idempotencyKey: outcome.key } } })
  const transaction = (await chain.request('eth_getTransactionByHash', [record.data?.txHash])) as {
    to: Hex
    input: Hex
  }
  return readCall(transaction, chain.deployment.forwarder)
}

function readCall({ to, input }: { to: Hex; input: Hex }, forwarder: string): MinedCall {
  const direct = { functionName: null, target: to.toLowerCase(), data: input }
  if (direct.target !== forwarder.toLowerCase()) return direct
  const { functionName, args } = decodeFunctionData({ abi: paymentForwarderAbi, data: input })
  switch (functionName) {
    case 'relayBound':
    case 'relayPaid':
    case 'relaySigned':
    case 'relayOpen': {
      const [target, data] = args.slice(-2) as [Hex, Hex]
      return { functionName, target: target.toLowerCase(), data }
    }
    default:
      return direct
  }
}
