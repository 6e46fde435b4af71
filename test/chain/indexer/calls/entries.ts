import { stringToHex, zeroHash } from 'viem'
import { actorAddresses, asActor, asAnybody, asSigner, market, type TaskMaker } from '../market-calls.ts'

export const claimTask: TaskMaker = async (world, task) => {
  const { random } = world
  const worker = random.pick(actorAddresses)
  const data = market('claimTask', [task.id, zeroHash])
  const stake = (task.view.reward * BigInt(task.view.stakeBps)) / 10_000n
  if (stake > 0n && random.chance(0.5)) return [await asActor(world, worker, { data, escrow: stake })]
  return [await asSigner(world, worker, { data, verb: 'claim', task })]
}

/** One of three texts: the same worker pitches the same again before long. */
export const submitPitch: TaskMaker = async (world, { id }) => {
  const { random } = world
  const pitchHash = stringToHex(random.pick(['me', 'no, me', 'me after all']), { size: 32 })
  return [await asActor(world, random.pick(actorAddresses), { data: market('submitPitch', [id, pitchHash]) })]
}

export const selectWorker: TaskMaker = async (world, { id, view }) => {
  const pitched = world.logs.pitches.filter(({ taskId }) => taskId === id).map(({ worker }) => worker)
  const worker = world.random.pick([...pitched, view.requester])
  return [await asActor(world, view.requester, { data: market('selectWorker', [id, worker]) })]
}

/** Sometimes just the price somebody else bids, so that ties come up. */
export const submitBid: TaskMaker = async (world, { id, view }) => {
  const { random } = world
  const rounded = (BigInt(1 + random.below(20)) * view.reward) / 20n
  const least = view.reward > 1000n ? 1000n : 1n
  const price = random.chance(0.6) ? rounded : least + BigInt(random.below(Number(view.reward - least + 1n)))
  return [await asActor(world, random.pick(actorAddresses), { data: market('submitBid', [id, price]) })]
}

export const selectLowestBidder: TaskMaker = (world, { id }) => [asAnybody(world, market('selectLowestBidder', [id]))]

export const acceptAuction: TaskMaker = async (world, { id, view }) => {
  const { random } = world
  const minPrice = random.chance(0.8) ? 0n : view.reward
  return [await asActor(world, random.pick(actorAddresses), { data: market('acceptAuction', [id, minPrice]) })]
}

export const forfeitAndReopen: TaskMaker = async (world, task) => {
  const data = market('forfeitAndReopen', [task.id])
  return [await asSigner(world, task.view.requester, { data, verb: 'forfeit', task })]
}
