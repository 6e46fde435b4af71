import { keccak256, stringToHex } from 'viem'
import { proofTypes, toProofTypeHash } from '../../../../protocol/rules/proof-type.ts'
import { isContest } from '../../../../protocol/rules/selectors.ts'
import {
  actorAddresses,
  asActor,
  asSigner,
  listActiveWorkers,
  market,
  type TaskMaker,
  zeroAddress,
} from '../market-calls.ts'

/** A signed or a paid submission, mostly by the assigned worker if there is one. */
export const submitWork: TaskMaker = async (environment, task) => {
  const { random } = environment
  const isAssigned = task.view.worker !== zeroAddress && random.chance(0.9)
  const worker = isAssigned ? task.view.worker : random.pick(actorAddresses)
  const data = market('submitWork', [task.id, random.word()])
  if (random.chance(0.5)) return [await asActor(environment, worker, { data })]
  return [await asSigner(environment, worker, { data, verb: 'submit', task })]
}

/** A proof of a known or an unknown type, with metrics up to the maximum. */
export const submitProof: TaskMaker = async (environment, { id }) => {
  const { random } = environment
  const type = random.chance(0.8) ? toProofTypeHash(random.pick(proofTypes)) : keccak256(stringToHex('a dream'))
  const metric = random.chance(0.2) ? 2n ** 256n - 1n : BigInt(random.below(1000))
  const data = market('submitProof', [id, random.word(), type, metric])
  return [await asActor(environment, random.pick(actorAddresses), { data })]
}

export const rejectSubmissions: TaskMaker = async (environment, { id, view }) => {
  const workers = listActiveWorkers(environment.logs, id)
  if (workers.length === 0) return []
  const data = market('rejectSubmissions', [
    id,
    environment.random.chance(0.4) ? workers : environment.random.some(workers, 2),
  ])
  return [await asActor(environment, view.requester, { data })]
}

export const objectToDelivery: TaskMaker = async (environment, { id, view }) => [
  await asActor(environment, view.requester, { data: market('objectToDelivery', [id]) }),
]

export const accept: TaskMaker = async (environment, task) => {
  const { id, view } = task
  const data = isContest(task.mode)
    ? acceptanceOfContest(environment, id)
    : market('acceptSubmission', [id, view.worker, view.deliverable])
  return data === null ? [] : [await asActor(environment, view.requester, { data })]
}

function acceptanceOfContest({ random, logs }: Parameters<TaskMaker>[0], id: `0x${string}`): `0x${string}` | null {
  const workers = random.some(listActiveWorkers(logs, id), 4)
  const winners = workers.map((worker, index) => ({
    worker,
    shareBps: index === 0 ? 10_000 - 2000 * (workers.length - 1) : 2000,
    deliverable: random.pick(logs.submissions.filter((one) => one.taskId === id && one.worker === worker)).deliverable,
  }))
  const [first] = winners
  if (first === undefined) return null
  return winners.length === 1
    ? market('acceptSubmission', [id, first.worker, first.deliverable])
    : market('acceptSubmissions', [id, winners])
}
