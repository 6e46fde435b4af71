import { decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { Client } from '../../client/src/create-client.ts'
import { chooseValues } from '../../client/src/writes/choose-values.ts'
import type { Fields } from '../../client/src/writes/write-spec.ts'
import { writes } from '../../client/src/writes/write-table.ts'
import { aFaultedWrite, kindsOfWrite } from '../support/client/faulted/faulted-writes.ts'
import { setProgramme } from '../support/client/faulted/payout-writes.ts'
import type { FaultedWrite } from '../support/client/faulted/recipe.ts'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

beforeAll(() => setProgramme({ environment }, true))
afterAll(() => setProgramme({ environment }, false))

test('given any write, then its dry run makes the call that its transaction has', async () => {
  const compared: string[] = []
  for (let seed = 0; seed < kindsOfWrite; seed += 1) {
    const task = await aFaultedWrite({
      environment,
      aWallet: () => environment.aWallet(),
      alone: (work) => work(),
      seed,
    })
    const { operation, isWithdrawal } = writes[task.write]
    // The call of a withdrawal has its signature in it.
    if (isWithdrawal) continue
    const client = aClient(task.wallet)
    const input = { ...task.input, ...(await chooseValues(client.context, operation, { ...task.input })) }
    const preview = await client.preview(task.write, input as never)
    if (preview.kind !== 'preview') throw new Error(`${task.write}: ${JSON.stringify(preview)}`)
    expect([task.write, preview.callProblem, preview.isActSimulated]).toEqual([task.write, null, true])
    const { target, data } = await minedCall(client, task, input)
    expect([task.write, { target: target.toLowerCase(), data }]).toEqual([
      task.write,
      { target: preview.call?.target, data: preview.call?.data },
    ])
    compared.push(task.write)
  }
  console.log(`compared: ${compared.join(', ')}`)
  expect(compared.length).toBeGreaterThan(20)
})

/** Makes a write, and reads the call that the forwarder made in its transaction. */
async function minedCall(client: Client, { write }: FaultedWrite, input: Fields) {
  const outcome = await client.write(write, input as never)
  if (outcome.kind !== 'completed') throw new Error(`${write}: ${JSON.stringify(outcome)}`)
  const record = await client.http.GET('/api/intents', {
    params: { query: { idempotencyKey: outcome.key } },
  })
  const transaction = (await environment.chain.request('eth_getTransactionByHash', [record.data?.txHash])) as {
    input: Hex
  }
  const { functionName, args } = decodeFunctionData({ abi: paymentForwarderAbi, data: transaction.input })
  if (outcome.paid > 0n) expect([write, functionName]).toEqual([write, 'relayBound'])
  const [target, data] = (args ?? []).slice(-2) as [Hex, Hex]
  return { target, data }
}
