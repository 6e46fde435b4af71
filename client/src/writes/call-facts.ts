import type { Address, Hex } from 'viem'
import type { TaskTexts } from '../../../protocol/documents/task-document.ts'
import type { FactName, Facts } from '../../../protocol/operation.ts'
import type { Account } from '../account/account.ts'
import type { Chain } from '../chain/rpc.ts'
import type { ClientContext } from '../context.ts'
import type { Shape } from '../http/shape.ts'
import { agentShape, networkShape, taskTextsShape, termsShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { readSubmissions, type SubmissionRow } from '../reads/submissions.ts'
import { CALL_UNKNOWN } from './call-deployment.ts'
import { type Fields, Refused, type TaskFacts } from './write-spec.ts'

/** A write for which the client encodes the contract call. */
interface AskedCall {
  input: Fields
  /** The facts of the write's task; null if the write needs none. */
  task: TaskFacts | null
}

type Context = { account: Account } & Pick<ClientContext, 'chain' | 'url' | 'fetch' | 'identity' | 'timing'>
type Reader<Name extends FactName> = (context: Context, askedCall: AskedCall) => Promise<Facts[Name]> | Facts[Name]

/**
 * Functions that read the facts of contract calls. With a node, facts that the contracts store come from the chain. All
 * other facts come from the service, without proof. The user can see the facts in the preview of the contract call.
 */
const readers: { readonly [Name in FactName]: Reader<Name> } = {
  reward: (_, askedCall) => presentOf(askedCall).reward,
  requester: (_, askedCall) => presentOf(askedCall).requester,
  stake: (_, askedCall) => presentOf(askedCall).stake,
  claimRound: (_, askedCall) => presentOf(askedCall).claimRound,
  termsHash: async (context, askedCall) => {
    const taskId = taskIdOf(askedCall)
    if (context.chain !== null) return await termsOnChain(context.chain, taskId)
    const { termsHash } = await readTask(context, taskId, termsShape)
    return String(termsHash).toLowerCase() as Hex
  },
  texts: async (context, askedCall) => textsOf(await readTask(context, taskIdOf(askedCall), taskTextsShape)),
  deliverables: async (context, askedCall) => {
    const rows = await readSubmissions(context, taskIdOf(askedCall))
    return winnersOf(askedCall.input).map((winner) => deliverableOf(rows, winner))
  },
  raterAgentId: (context) => readAgentId(context, context.account.address),
  workerAgentId: (context, { input }) => readAgentId(context, String(input.worker)),
  feedbackBase: async (context) => String((await read(context, '/api/network', {}, networkShape)).feedbackBase),
  vault: () => notRead('vault'),
  programme: () => notRead('programme'),
}

/**
 * Reads the values that a contract call contains but the caller did not pass. Example: `stake`, the stake of a claim.
 * @throws Refused when a fact cannot be read
 */
export async function readCallFacts(
  context: Context,
  names: readonly FactName[],
  askedCall: AskedCall,
): Promise<Partial<Facts>> {
  const facts = await Promise.all(names.map(async (name) => [name, await readers[name](context, askedCall)] as const))
  return Object.fromEntries(facts)
}

/**
 * Refuses to read a fact of a withdrawal. The client does not encode the contract call of a withdrawal.
 * @throws Refused
 */
function notRead(name: FactName): never {
  throw new Refused(CALL_UNKNOWN, `The client does not read the fact \`${name}\`.`)
}

/**
 * Reads the hash of a task's terms from the chain.
 * @throws Refused
 */
async function termsOnChain(chain: Pick<Chain, 'termsHashOf'>, taskId: Hex): Promise<Hex> {
  try {
    return await chain.termsHashOf(taskId)
  } catch {
    throw new Refused(CALL_UNKNOWN, 'The node does not say the terms of the task.')
  }
}

function presentOf({ task }: AskedCall): TaskFacts['present'] {
  if (task === null) throw new Error('the task of the write was not read')
  return task.present
}

function taskIdOf({ input: { taskId } }: AskedCall): Hex {
  return String(taskId) as Hex
}

async function read(context: Context, path: string, query: Record<string, string>, shape: Shape): Promise<Fields> {
  const answer = await readJson(context, path, query, shape)
  if (answer.ok) return answer.body as Fields
  throw new Refused(CALL_UNKNOWN, `A fact of the call cannot be read: ${answer.message}`)
}

function readTask(context: Context, taskId: Hex, shape: Shape): Promise<Fields> {
  return read(context, `/api/tasks/${taskId}`, {}, shape)
}

/** Reads the ERC-8004 identity of an account; null if the account has none. */
async function readAgentId(context: Context, address: string): Promise<bigint | null> {
  const { agentId } = await read(context, '/api/identity/status', { address: address.toLowerCase() }, agentShape)
  return agentId === null ? null : BigInt(String(agentId))
}

function textsOf(task: Fields): TaskTexts {
  const { description, tags, taskVisibility, submissionVisibility, metricDescription, metricTarget } =
    task as unknown as TaskTexts
  return { description, tags, taskVisibility, submissionVisibility, metricDescription, metricTarget }
}

interface Winner {
  worker: Address
  submissionId?: Hex
}

/** Returns the workers whom a write pays, in the order of the request. */
function winnersOf({ worker, winners }: Fields): readonly Winner[] {
  return winners === undefined ? [{ worker: worker as Address }] : (winners as readonly Winner[])
}

/**
 * Returns the deliverable hash of the submission for which a winner is paid: the named submission, or else the worker's
 * newest one.
 * @throws Refused when the service shows no such submission
 */
function deliverableOf(rows: readonly SubmissionRow[], { worker, submissionId }: Winner): Hex {
  const ownRows = rows.filter(({ workerAddress }) => workerAddress.toLowerCase() === worker)
  const row = submissionId === undefined ? ownRows.at(-1) : ownRows.find(({ id }) => id.toLowerCase() === submissionId)
  const deliverable = row?.deliverableHash ?? null
  if (deliverable !== null) return deliverable.toLowerCase() as Hex
  throw new Refused(CALL_UNKNOWN, `The service shows no submission of ${worker} that could be paid for.`)
}
