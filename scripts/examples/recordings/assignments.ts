import { hexAt, type RecordingContext } from '../recording-context.ts'
import { signVerb } from '../wallets.ts'

/** Records claims, pitches and proofs. */
export async function recordAssignments(context: RecordingContext): Promise<void> {
  await recordClaim(context)
  await recordPitch(context)
  await recordProof(context)
}

/** Records a claim, its delivery, and the requester's objection to the delivery. */
async function recordClaim({ record, createTask, submit, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({ mode: 'claim' })
  const params = { taskId }
  const signature = await signVerb(wallet('alice'), 'claim', taskId)
  await record('createClaim', { params, body: { taskId, workerAddress: wallet('alice').address, signature } })
  await record('getClaim', { params })
  await submit('alice', taskId)
  await record('objectToDelivery', { params, payer: 'requester' })
}

async function recordPitch({ record, createTask, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({ mode: 'pitch' })
  const params = { taskId }
  const workerAddress = wallet('alice').address
  const pitch = { pitchText: 'An ear of wheat that is also a smile.', estimatedDuration: 6, signature: 'paid' }
  const { body: pitchAnswer } = await record('createPitch', {
    params,
    payer: 'alice',
    body: { taskId, workerAddress, ...pitch },
  })
  const pitchId = hexAt(pitchAnswer, 'pitchId')
  await record('listTaskPitches', { params, query: { limit: '1' } })
  await record('getPitchPreimage', { params: { taskId, pitchId } })
  const message = `service:select-worker:${taskId}:${pitchId}:${workerAddress.toLowerCase()}`
  const signature = await wallet('requester').signMessage({ message })
  const body = { taskId, pitchId, workerAddress, signature }
  await record('selectWorker', { params, payer: 'requester', body })
}

async function recordProof({ record, createTask, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({
    mode: 'benchmark',
    metricDescription: 'Kilobytes of all files',
    metricTarget: '900',
  })
  const params = { taskId }
  const proof = { proofData: 'https://example.org/alice/photos', proofType: 'url', metricValue: '871' }
  const body = { taskId, workerAddress: wallet('alice').address, ...proof, signature: 'paid' }
  const { body: proofAnswer } = await record('createProof', { params, payer: 'alice', body })
  await record('listTaskProofs', { params, query: { limit: '1' } })
  await record('getProofPreimage', { params: { taskId, proofId: hexAt(proofAnswer, 'proofId') } })
}
