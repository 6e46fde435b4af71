import { stringToHex, zeroHash } from 'viem'
import { actorAddresses, asActor, asAnyAccount, asSigner, market, type TaskMaker } from '../market-calls.ts'

export const claimTask: TaskMaker = async (environment, task) => {
  const { random } = environment
  const worker = random.pick(actorAddresses)
  const data = market('claimTask', [task.id, zeroHash])
  const stake = (task.view.reward * BigInt(task.view.stakeBps)) / 10_000n
  if (stake > 0n && random.chance(0.5)) return [await asActor(environment, worker, { data, escrow: stake })]
  return [await asSigner(environment, worker, { data, verb: 'claim', task })]
}

/** One of three texts, so that a worker repeats a pitch. */
export const submitPitch: TaskMaker = async (environment, { id }) => {
  const { random } = environment
  const pitchHash = stringToHex(random.pick(['me', 'no, me', 'me after all']), { size: 32 })
  return [await asActor(environment, random.pick(actorAddresses), { data: market('submitPitch', [id, pitchHash]) })]
}

export const selectWorker: TaskMaker = async (environment, { id, view }) => {
  const pitched = environment.logs.pitches.filter(({ taskId }) => taskId === id).map(({ worker }) => worker)
  const worker = environment.random.pick([...pitched, view.requester])
  return [await asActor(environment, view.requester, { data: market('selectWorker', [id, worker]) })]
}

/** Sometimes equal to the price of another bid, so that ties occur. */
export const submitBid: TaskMaker = async (environment, { id, view }) => {
  const { random } = environment
  const rounded = (BigInt(1 + random.below(20)) * view.reward) / 20n
  const least = view.reward > 1000n ? 1000n : 1n
  const price = random.chance(0.6) ? rounded : least + BigInt(random.below(Number(view.reward - least + 1n)))
  return [await asActor(environment, random.pick(actorAddresses), { data: market('submitBid', [id, price]) })]
}

export const selectLowestBidder: TaskMaker = (environment, { id }) => [
  asAnyAccount(environment, market('selectLowestBidder', [id])),
]

export const acceptAuction: TaskMaker = async (environment, { id, view }) => {
  const { random } = environment
  const minPrice = random.chance(0.8) ? 0n : view.reward
  return [await asActor(environment, random.pick(actorAddresses), { data: market('acceptAuction', [id, minPrice]) })]
}

export const forfeitAndReopen: TaskMaker = async (environment, task) => {
  const data = market('forfeitAndReopen', [task.id])
  return [await asSigner(environment, task.view.requester, { data, verb: 'forfeit', task })]
}
