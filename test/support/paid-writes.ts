import type { Hex } from 'viem'
import type { Operation } from '../../api/intents/operations.ts'
import { type Actor, anActor } from './actors.ts'
import type { Environment } from './conformance.ts'
import { aClaimBody, aClaimTask, anAuctionTask, aSubmissionBody, aTaskBody } from './conformance-fixtures.ts'
import type { Reply } from './paying-client.ts'
import { aFromKeysBody, aLocalFile, anUploadRequest, toKeyedFile } from './uploads.ts'

/** A paid write that its task admits now, with the wallet that may make it and whose payment is stolen for it. */
export interface PaidWrite {
  payer: Actor
  /** Below `/api`. */
  path: string
  body?: unknown
}

export type OpenPaidWrite = () => Promise<PaidWrite>

/** Lifetime of a task that has to expire, seconds. Time passes for the whole stack. */
const LIFE_SECONDS = 5
const shortLife = { duration: LIFE_SECONDS / 3600 }

/**
 * One paid write of each operation, in the form that harms its payer most. Opening one makes
 * its task and every step before it.
 */
export function paidWritesOf(environment: Environment): Partial<Record<Operation, OpenPaidWrite>> {
  const { aWallet, createTask, claim, submit, pay } = environment
  const at = (payer: Actor, taskId: Hex, verb: string, body?: unknown): PaidWrite => ({
    payer,
    path: `/tasks/${taskId}/${verb}`,
    ...(body !== undefined && { body }),
  })

  /** A bounty with the work of an honest worker and of a thief. */
  const aContest = async () => {
    const [requester, thief] = [await aWallet(), anActor()]
    const taskId = await createTask(requester)
    await submit(anActor(), taskId)
    await submit(thief, taskId)
    return { requester, taskId, worker: thief.address }
  }
  const aDelivery = async (fields: Record<string, unknown> = {}) => {
    const [requester, alice] = [await aWallet(), await aWallet()]
    const taskId = await createTask(requester, aClaimTask(fields))
    await claim(alice, taskId)
    await submit(alice, taskId)
    return { requester, alice, taskId }
  }
  const anEvaluatedDelivery = async () => {
    const [evaluator, resolver] = [await aWallet(), await aWallet()]
    const evaluationTerms = { evaluator: evaluator.address, evaluatorFeeBps: 1000, disputeResolver: resolver.address }
    return { evaluator, resolver, ...(await aDelivery(evaluationTerms)) }
  }
  const aRejectedDelivery = async () => {
    const delivery = await anEvaluatedDelivery()
    const path = `/tasks/${delivery.taskId}/evaluate`
    expectSuccess(await pay(delivery.evaluator, path, { verdict: 'reject' }))
    return delivery
  }
  /** A bounty and a worker without free submissions, the last of them by the worker's own signature. */
  const anUsedUpAllowance = async () => {
    const [taskId, alice] = [await createTask(await aWallet()), await aWallet()]
    const { limits } = (await environment.get('/health')).body
    for (let count = 0; count < limits.freeSubmissionAllowance; count += 1) await submit(alice, taskId)
    return { taskId, alice }
  }
  const upload = async (worker: Actor, taskId: Hex) => {
    const [file, path] = [aLocalFile(), `/tasks/${taskId}/submissions/request-upload-url`]
    const asked = await environment.post(path, { body: await anUploadRequest(worker, taskId, file) })
    const { uploadUrl, uploadHeaders, artifactKey } = expectSuccess(asked)
    await environment.fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: file.bytes })
    return toKeyedFile(artifactKey, file)
  }

  return {
    'tasks.create': async () => ({ payer: await aWallet(), path: '/tasks', body: aTaskBody() }),
    'tasks.update': async () => {
      const payer = await aWallet()
      return at(payer, await createTask(payer), 'update', { reward: '50000000' })
    },
    'tasks.cancel': async () => {
      const payer = await aWallet()
      return at(payer, await createTask(payer), 'cancel')
    },
    'tasks.refundExpired': async () => {
      const taskId = await createTask(await aWallet(), shortLife)
      const payer = await aWallet()
      await environment.chain.passTime(LIFE_SECONDS)
      return at(payer, taskId, 'refund-expired')
    },
    'tasks.accept': async () => {
      const { requester, taskId, worker } = await aContest()
      return at(requester, taskId, 'accept', { worker })
    },
    'tasks.acceptSubmissions': async () => {
      const { requester, taskId, worker } = await aContest()
      return at(requester, taskId, 'accept-submissions', { winners: [{ worker, share: 10_000 }] })
    },
    'tasks.rate': async () => {
      const { requester, taskId, worker } = await aContest()
      expectSuccess(await pay(requester, `/tasks/${taskId}/accept`, { worker }))
      return at(requester, taskId, 'rate', { worker, rating: 100 })
    },
    'submissions.create': async () => {
      const { taskId, alice } = await anUsedUpAllowance()
      return at(alice, taskId, 'submissions', await aSubmissionBody(alice, taskId))
    },
    'submissions.createFromKeys': async () => {
      const { taskId, alice } = await anUsedUpAllowance()
      return at(
        alice,
        taskId,
        'submissions/from-keys',
        await aFromKeysBody(alice, taskId, [await upload(alice, taskId)]),
      )
    },
    'submissions.reject': async () => {
      const { requester, taskId, worker } = await aContest()
      return at(requester, taskId, 'reject-submission', { worker })
    },
    'claims.create': async () => {
      const [taskId, alice] = [await createTask(await aWallet(), aClaimTask({ stakeBps: 1000 })), await aWallet()]
      return at(alice, taskId, 'claim', await aClaimBody(alice, taskId))
    },
    'bids.create': async () => {
      const taskId = await createTask(await aWallet(), anAuctionTask('english'))
      return at(await aWallet(), taskId, 'bids', { price: '1000' })
    },
    'bids.accept': async () => {
      const taskId = await createTask(await aWallet(), anAuctionTask('reverse_dutch'))
      return at(await aWallet(), taskId, 'bids/accept', {})
    },
    'tasks.object': async () => {
      const { requester, taskId } = await aDelivery()
      return at(requester, taskId, 'object')
    },
    'tasks.assignEvaluator': async () => {
      const payer = await aWallet()
      const body = { evaluator: anActor().address, evaluatorFeeBps: 9250 }
      return at(payer, await createTask(payer), 'evaluator', body)
    },
    'tasks.evaluate': async () => {
      const { evaluator, taskId } = await anEvaluatedDelivery()
      return at(evaluator, taskId, 'evaluate', { verdict: 'approve' })
    },
    'tasks.appeal': async () => {
      const { alice, taskId } = await aRejectedDelivery()
      return at(alice, taskId, 'appeal', {})
    },
    'tasks.resolveDispute': async () => {
      const { resolver, alice, taskId } = await aRejectedDelivery()
      expectSuccess(await pay(alice, `/tasks/${taskId}/appeal`, {}))
      const awards = [{ worker: alice.address, amount: '1000000', rank: 1 }]
      return at(resolver, taskId, 'resolve-dispute', { verdict: 'partial', awards })
    },
    'tasks.evaluatorTimeout': async () => {
      const payer = await aWallet()
      const evaluated = { evaluator: anActor().address, evaluationWindowHours: 1 / 3600 }
      const taskId = await createTask(payer, { ...evaluated, ...shortLife })
      await submit(anActor(), taskId)
      await environment.chain.passTime(LIFE_SECONDS + 1)
      return at(payer, taskId, 'evaluator-timeout')
    },
    'identity.register': async () => ({ payer: await aWallet(), path: '/identity/register', body: {} }),
    'identity.adopt': async () => {
      const payer = await aWallet()
      const { agentId } = expectSuccess(await pay(payer, '/identity/register', {}))
      return { payer, path: '/identity/adopt', body: { agentId } }
    },
    'pitches.create': async () => {
      const [taskId, alice] = [await createTask(await aWallet(), { mode: 'pitch' }), await aWallet()]
      return at(alice, taskId, 'pitches', aPitch(alice))
    },
    'pitches.select': async () => {
      const [requester, thief] = [await aWallet(), await aWallet()]
      const taskId = await createTask(requester, { mode: 'pitch' })
      const { pitchId } = expectSuccess(await pay(thief, `/tasks/${taskId}/pitches`, aPitch(thief)))
      return at(requester, taskId, 'pitches/select', { pitchId, workerAddress: thief.address })
    },
    'proofs.create': async () => {
      const taskId = await createTask(await aWallet(), { mode: 'benchmark', metricDescription: 'ms' })
      const payer = await aWallet()
      const proof = { proofData: 'https://example.com/run/1', proofType: 'url', signature: 'paid' }
      return at(payer, taskId, 'proofs', { workerAddress: payer.address, ...proof })
    },
  }
}

const aPitch = ({ address }: Actor) => ({ workerAddress: address, pitchText: 'I will', signature: 'paid' })

function expectSuccess({ status, body }: Pick<Reply, 'status' | 'body'>) {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}
