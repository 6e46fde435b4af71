import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { actionRules } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { partOf } from '../../../../protocol/rules/amounts.ts'
import { isSubmissionWindowOpen } from '../../../../protocol/submission-window.ts'
import { byDepth } from '../../../support/depth.ts'
import {
  alice,
  anAuction,
  anyAuction,
  anyClaim,
  anyContest,
  anyPitchTask,
  anyStaleTime,
  anyTime,
  bob,
  requester,
  stranger,
  workers,
} from '../../../support/task-snapshots.ts'
import { anyEvaluated } from '../evaluated-snapshots.ts'

type Action = keyof ActionArgs
const actions = Object.keys(actionRules) as Action[]
const wallets = [requester, stranger, ...workers]
/** What the evaluator, the resolver and rejected workers may not do. */
const entries = new Set<Action>(['submit', 'submit_proof', 'claim', 'pitch', 'bid', 'auction_accept'])
const many = { numRuns: byDepth(500, 4000) }
const anyTask = fc.oneof(anyContest, anyClaim, anyPitchTask, anyEvaluated, anyAuction)

const perfect = { score: 1000, confidence: 1000 }

/** Arguments of which some are admitted whenever any are. */
const sensibleArgs: { [A in Action]: (task: TaskSnapshot) => ActionArgs[A][] } = {
  claim: () => wallets.map((worker) => ({ worker })),
  bid: () => [{ price: 1000n }],
  auction_accept: () => [{}, { minPrice: 0n }],
  select_winner: () => [{}],
  pitch: () => wallets.map((worker) => ({ worker })),
  select_worker: () => workers.map((worker) => ({ worker })),
  submit: () => wallets.map((worker) => ({ worker })),
  submit_proof: () => wallets.map((worker) => ({ worker, isRepeated: false })),
  accept: () => workers.map((worker) => ({ worker })),
  accept_submissions: () => workers.map((worker) => ({ winners: [{ worker, shareBps: 10_000 }] })),
  reject_submission: () => workers.map((worker) => ({ worker })),
  update: () => [{ textsChange: true }],
  cancel: () => [{}],
  forfeit: () => [{}],
  evaluate: (task) => [
    { ...perfect, verdict: 'reject', awards: [] },
    ...workers.map((worker) => ({
      ...perfect,
      verdict: 'approve' as const,
      awards: [{ worker, amount: task.escrow - partOf(task.escrow, task.evaluatorFeeBps ?? 0), rank: 1 }],
    })),
  ],
  appeal: () => [{}],
  resolve_dispute: () =>
    workers.map((worker) => ({ verdict: 'partial' as const, awards: [{ worker, amount: 1n, rank: 1 }] })),
  finalize_verdict: () => [{}],
  evaluator_timeout: () => [{}],
  refund_expired: () => [{}],
  settle_stale: () => [{}],
  rate: () => workers.map((worker) => ({ worker })),
}

/** The wallets that may perform the action with some of the arguments. */
function admittedWallets<A extends Action>(action: A, task: TaskSnapshot, now: bigint) {
  return wallets.filter((actor) =>
    sensibleArgs[action](task).some((args) => admit(action, task, { actor, now, args }) === null),
  )
}

const WEEK = 7n * 24n * 3600n
/** The actions that can be performed now. */
function listPossible(task: TaskSnapshot, now: bigint) {
  return listPendingActions(task, now).filter(({ availableAfter }) => availableAfter === null || availableAfter <= now)
}

test('given any task, then an action is offered exactly when some wallet may perform it', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (task, now) => {
      const offered = new Set(listPossible(task, now).map(({ action }) => action))
      const admitted = actions.filter((action) => admittedWallets(action, task, now).length > 0)
      expect([...offered].toSorted()).toEqual(admitted.toSorted())
    }),
    many,
  )
})

test('given any task, then an offer names exactly the wallets that may perform it', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (task, now) => {
      const offers = listPossible(task, now)
      for (const action of actions) {
        const eligible = offers.filter((offer) => offer.action === action).map(({ eligibleAddress }) => eligibleAddress)
        if (eligible.length === 0) continue
        const admitted = admittedWallets(action, task, now)
        if (eligible.includes(null)) {
          // Of the workers, a rejected one may not submit, evaluator and resolver may not enter, the requester may not take part in
          // its auction; only a worker with an active submission may appeal; every other wallet of the role may.
          const isBarred = (wallet: Address) =>
            task.entries.get(wallet)?.rejected === true || wallet === task.evaluator || wallet === task.disputeResolver
          const isEntry = entries.has(action)
          const isAbsent = (wallet: Address) => (task.entries.get(wallet)?.activeSubmissionCount ?? 0) === 0
          const isOwn = (wallet: Address) => task.mode === 'auction' && wallet === task.requester
          const mayNot = (wallet: Address) =>
            (isEntry && (isBarred(wallet) || isOwn(wallet))) || (action === 'appeal' && isAbsent(wallet))
          expect(admitted).toEqual(wallets.filter((wallet) => !mayNot(wallet)))
        } else {
          expect(admitted.toSorted()).toEqual([...new Set(eligible)].toSorted())
        }
      }
    }),
    many,
  )
})

test('given any task, then an offer is open now, and its window has not ended; a stale task is announced a week before', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (task, now) => {
      for (const { action, availableAfter, availableUntil } of listPendingActions(task, now)) {
        const notice = action === 'settle_stale' ? WEEK : 0n
        if (availableAfter !== null) expect(now).toBeGreaterThanOrEqual(availableAfter - notice)
        if (availableUntil !== null) expect(now).toBeLessThan(availableUntil)
      }
    }),
    many,
  )
})

test('given an announced offer, then it is admitted once its window begins, and not before', () => {
  let announced = 0
  fc.assert(
    fc.property(anyTask, anyStaleTime, (task, now) => {
      for (const { action, availableAfter } of listPendingActions(task, now)) {
        if (availableAfter === null || availableAfter <= now) continue
        announced += 1
        expect(admittedWallets(action, task, now)).toEqual([])
        expect(admittedWallets(action, task, availableAfter)).toEqual(wallets)
      }
    }),
    many,
  )
  expect(announced).toBeGreaterThan(0)
})

test('given any task, then submit is offered exactly while the submission window is open', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (task, now) => {
      const isOffered = listPendingActions(task, now).some(({ action }) => action === 'submit')
      expect(isOffered).toBe(isSubmissionWindowOpen(task, now))
    }),
    many,
  )
})

test('given a write that is refused to every wallet, then it is refused before any payment', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (task, now) => {
      for (const action of actions) {
        for (const args of sensibleArgs[action](task)) {
          const isAdmitted = wallets.some((actor) => admit(action, task, { actor, now, args }) === null)
          expect(admit(action, task, { actor: null, now, args }) === null).toBe(isAdmitted)
        }
      }
    }),
    many,
  )
})

test('given a mode that this version does not support, then there is no action', () => {
  fc.assert(
    fc.property(anyTask, anyTime, (known, now) => {
      const task = { ...known, mode: 'unknown' as const }
      expect(listPendingActions(task, now)).toEqual([])
      for (const action of actions) expect(admittedWallets(action, task, now)).toEqual([])
    }),
  )
})

/** A sealed auction with bids of alice and bob, at any prices. */
const anyPrice = fc.bigInt({ min: 1000n, max: 5_000_000n })
const anySealed = fc
  .tuple(anyPrice, anyPrice)
  .map(([one, other]) => anAuction('reverse_english', { bids: [[alice, one] as const, [bob, other] as const] }))

test('given sealed bids, then no price of them changes an offer, and another’s none the answer to a bid', () => {
  fc.assert(
    fc.property(anySealed, anySealed, fc.bigInt({ min: 0n, max: 5_000_001n }), anyTime, (one, other, price, now) => {
      const answerOf = (task: TaskSnapshot, actor: Address | null) =>
        admit('bid', task, { actor, now, args: { price } })
      expect(listPendingActions(one, now)).toEqual(listPendingActions(other, now))
      for (const actor of [null, stranger]) expect(answerOf(one, actor)).toEqual(answerOf(other, actor))
      const entries = new Map(other.entries).set(alice, one.entries.get(alice) ?? expect.fail('no bid'))
      expect(answerOf(one, alice)).toEqual(answerOf({ ...other, entries }, alice))
    }),
  )
})
