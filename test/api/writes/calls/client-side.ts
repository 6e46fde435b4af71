import { randomUUID } from 'node:crypto'
import type { Address, Hex, PrivateKeyAccount } from 'viem'
import type { WriteName } from '../../../../client/src/api/write-names.ts'
import type { Deployment } from '../../../../client/src/deployment/deployment.ts'
import { BOUND_VALID_SECONDS, signPayment } from '../../../../client/src/payments/authorization.ts'
import { readChallenge } from '../../../../client/src/payments/challenge.ts'
import { sha256Hex } from '../../../../client/src/payments/payment-text.ts'
import { readJson } from '../../../../client/src/reads/read-json.ts'
import { fillPath } from '../../../../client/src/writes/begin.ts'
import { planPayment } from '../../../../client/src/writes/bound-payment.ts'
import { toCallDeployment } from '../../../../client/src/writes/call-deployment.ts'
import { chooseValues } from '../../../../client/src/writes/choose-values.ts'
import { type CallSource, encodeWrite } from '../../../../client/src/writes/encode-write.ts'
import { readTaskFacts } from '../../../../client/src/writes/task-facts.ts'
import { planBuilt, planRequest, signRequest } from '../../../../client/src/writes/write-request.ts'
import type { BuildContext, Fields, TaskFacts } from '../../../../client/src/writes/write-spec.ts'
import { writes } from '../../../../client/src/writes/write-table.ts'
import { callTailOf } from '../../../../protocol/bound-call.ts'
import type { Facts } from '../../../../protocol/operation.ts'
import { type ContractCall, isForwarded } from '../../../../protocol/relay.ts'

/** A client with a wallet, and the service that it reads. */
export interface ClientSide {
  account: PrivateKeyAccount
  deployment: Deployment
  fetch: typeof fetch
  /** Time of the chain, Unix seconds. */
  now: number
  /** The withdrawal address of the wallet's own configuration. */
  destination: Address
  /** The contract of the token bonus, which the service alone names. */
  programme: Address
}

/** The bytes that a client makes of a write. */
export interface ClientWrite {
  name: WriteName
  key: string
  body: Fields
  /** As they are sent. */
  bodyText: string | null
  /** Of a withdrawal: with its signature. */
  call: ContractCall
  input: Fields
  task: TaskFacts | null
}

/** Completes the arguments of a write as the client does, signs its body, and makes its call. */
export async function makeByClient(client: ClientSide, name: WriteName, given: Fields): Promise<ClientWrite> {
  const { operation, needsTask } = writes[name]
  const context = contextOf(client)
  const key = randomUUID()
  const taskId = String(given.taskId).toLowerCase()
  const task = needsTask ? await readTaskFacts(context, { taskId, ownReward: 0n }) : null
  const common = { name, key, task }
  if (!isForwarded(operation.kind)) return { ...common, ...(await makeOwnerSigned(client, { name, key, given })) }
  const chosen = await chooseValues(context, operation, given)
  const encode = (input: Fields) => encodeWrite(context, operation, { input, task })
  const plan = planRequest(
    operation,
    { ...given, ...chosen },
    {
      account: client.account,
      task,
      ...(client.deployment.bound === true && {
        tailOf: async (input: Fields) => callTailOf((await encode(input)).data, client.deployment),
      }),
    },
  )
  const body = await signRequest(operation, plan)
  const { input } = plan
  return { ...common, body: body ?? {}, bodyText: textOf(body), call: await encode(input), input }
}

/** A request of a withdrawal or a switch, which its owner signs. */
async function makeOwnerSigned(
  client: ClientSide,
  { name, key, given }: { name: WriteName; key: string; given: Fields },
): Promise<Pick<ClientWrite, 'body' | 'bodyText' | 'call' | 'input'>> {
  const { operation, build } = writes[name]
  if (build === undefined) throw new Error(`the client builds no ${name}`)
  const { account, deployment, now, destination: withdrawalAddress } = client
  const context = contextOf(client)
  const read: BuildContext['read'] = async (path, query, shape) => {
    const answer = await readJson(context, path, query, shape)
    if (!answer.ok) throw new Error(answer.message)
    return answer.body as Record<string, unknown>
  }
  const built = await build(given, { account, deployment, key, now, validBefore: null, withdrawalAddress, read })
  const plan = planBuilt(operation, built, { account, deployment })
  const body = (await signRequest(operation, plan)) ?? {}
  const input = { ...plan.input, signature: body.signature }
  // The facts of its call, each of which the entry lists.
  const facts = { programme: client.programme, ...built.facts } as Facts
  const call = operation.call(input, { facts, deployment: toCallDeployment(deployment), actor: walletOf(account) })
  return { body, bodyText: textOf(body), call, input }
}

/** The payment of a write: the header, and what is signed in it. */
export async function payByClient(
  client: ClientSide,
  { name, key, bodyText, input, task }: ClientWrite,
  challengeHeader: string,
): Promise<{ header: string; nonce: Hex; salt: Hex | undefined; value: bigint; validBefore: bigint }> {
  const { account, deployment, now } = client
  const asked = readChallenge(challengeHeader, deployment)
  if (!asked.ok) throw new Error(asked.problem)
  const { challenge } = asked
  const spec = writes[name]
  const run = { context: contextOf(client), spec, normalised: input, task, key }
  const [path, bodySha256] = [fillPath(spec.path, input), await sha256Hex(bodyText ?? '')]
  const { nonce, salt } = await planPayment({ ...run, path, bodySha256 }, challenge.amount)
  const validBefore = now + BOUND_VALID_SECONDS
  const value = challenge.amount
  const authorization = { to: deployment.forwarder, value, validBefore, nonce, ...(salt !== undefined && { salt }) }
  const header = await signPayment(account, deployment, { challenge, authorization })
  return { header, nonce, salt, value, validBefore: BigInt(validBefore) }
}

/** The address of a wallet, lower case. */
export function walletOf({ address }: { address: Address }): Address {
  return address.toLowerCase() as Address
}

function contextOf({
  account,
  deployment,
  fetch,
  now,
}: ClientSide): CallSource & { signingTime: () => Promise<number> } {
  const timing = { requestMs: 1_000, waitMs: 1, pauseMs: 1, maxPauseMs: 1 }
  const reads = { url: 'https://market.example', fetch, identity: async () => ({}), timing }
  return { ...reads, account, deployment, chain: null, signingTime: async () => now }
}

function textOf(body: Fields | null): string | null {
  return body === null ? null : JSON.stringify(body)
}
