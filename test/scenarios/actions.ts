import type { Hex } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'
import type { Actor } from '../support/actors.ts'
import { aClaimBody, aForfeitBody, aSubmissionBody, aTextFile } from '../support/conformance-fixtures.ts'

/** Every action on an existing task: the offered ones, and the two writes that are not offered. */
export type Action = ActionName | 'assign_evaluator' | 'object'

/** Free fields of the body, besides those of the task. */
export type Fields = Record<string, unknown>

interface Request {
  /** Below `/tasks/{taskId}/`. */
  verb: string
  body: Fields
}

/** The task of an action. */
export interface ActionTask {
  taskId: Hex
  /** Number of reopenings, which claim and forfeit sign. */
  claimRound: number
}

type MakeRequest = (actor: Actor, task: ActionTask, fields: Fields) => Promise<Request>

/** The REST request of each action. Spec, "Endpoints"; a body repeats no field of the path, but its task. */
const requests: Record<Action, MakeRequest> = {
  claim: async (actor, { taskId, claimRound }, fields) => ({
    verb: 'claim',
    body: { ...(await aClaimBody(actor, taskId, claimRound)), ...fields },
  }),
  forfeit: async (actor, { taskId, claimRound }) => ({
    verb: 'forfeit',
    body: await aForfeitBody(actor, taskId, claimRound),
  }),
  submit: async (actor, { taskId }, { text = 'Money waits in trust', ...fields }) => ({
    verb: 'submissions',
    body: { ...(await aSubmissionBody(actor, taskId, [aTextFile(String(text))])), ...fields },
  }),
  pitch: (actor, { taskId }, fields) =>
    signed('pitches', actor, { taskId, pitchText: 'I have done this before', ...fields }),
  submit_proof: (actor, { taskId }, fields) =>
    signed('proofs', actor, { taskId, proofData: 'https://example.com/run', proofType: 'url', ...fields }),
  select_worker: async (actor, { taskId }, { pitchId, workerAddress, ...fields }) => {
    const message = `service:select-worker:${taskId}:${pitchId}:${String(workerAddress).toLowerCase()}`
    const signature = await actor.account.signMessage({ message })
    return { verb: 'pitches/select', body: { taskId, pitchId, workerAddress, signature, ...fields } }
  },
  bid: plain('bids'),
  auction_accept: plain('bids/accept'),
  select_winner: plain('bids/select-winner'),
  accept: plain('accept'),
  accept_submissions: plain('accept-submissions'),
  reject_submission: plain('reject-submission'),
  update: plain('update'),
  cancel: plain('cancel'),
  refund_expired: plain('refund-expired'),
  settle_stale: plain('settle-stale'),
  rate: plain('rate'),
  object: plain('object'),
  assign_evaluator: plain('evaluator'),
  evaluate: plain('evaluate'),
  appeal: plain('appeal'),
  resolve_dispute: plain('resolve-dispute'),
  evaluator_timeout: plain('evaluator-timeout'),
  finalize_verdict: plain('finalize-verdict'),
}

/** The request of an action by a wallet, signed where the interface requires it. */
export function requestOf(act: Action, actor: Actor, { task, fields }: { task: ActionTask; fields: Fields }) {
  return requests[act](actor, task, fields)
}

function plain(verb: string): MakeRequest {
  return async (_actor, { taskId }, fields) => ({ verb, body: { taskId, ...fields } })
}

/** The payment proves the payer; the body has a signature as well. */
async function signed(verb: string, actor: Actor, body: Fields): Promise<Request> {
  const signature = await actor.account.signMessage({ message: `service:${verb}:${body.taskId}` })
  return { verb, body: { workerAddress: actor.account.address, signature, ...body } }
}
