-- The events of a task: those of the market that name one, which a test compares.
select
  named.name,
  named.kind,
  named.about
from (
  values
    ('TaskCreated', 'task_created', 'A task exists and its reward is in escrow.'),
    ('HooksAttached', 'hooks_attached', 'The hooks that the task runs with.'),
    ('EvaluatorAssigned', 'evaluator_assigned', 'An evaluator is assigned, at the creation or later.'),
    ('TaskUpdated', 'task_updated', 'The terms after an update.'),
    ('TaskWorkerSelected', 'task_worker_selected', 'A worker is assigned.'),
    ('PitchSubmitted', 'pitch_submitted', 'A worker pitched.'),
    ('BidSubmitted', 'bid_submitted', 'A worker bid; it replaces an earlier bid of the worker.'),
    ('ProofSubmitted', 'proof_submitted', 'A worker anchored a benchmark proof. A submission of the same deliverable comes with it.'),
    ('TaskSubmitted', 'task_submitted', 'A worker delivered.'),
    ('SubmissionRejected', 'submission_rejected', 'The requester rejected all submissions of a worker.'),
    ('DeliveryObjected', 'delivery_objected', 'The requester refused the delivery on record.'),
    ('TaskCompleted', 'task_completed', 'An award was settled: one event an award. The first one ends the task.'),
    ('EscrowReturned', 'escrow_returned', 'A part of the escrow went back to the requester.'),
    ('TaskCancelled', 'task_cancelled', 'The task was cancelled and the escrow refunded.'),
    ('TaskExpired', 'task_expired', 'The escrow of an expired task was refunded.'),
    ('StakeReturned', 'stake_returned', 'A stake went back to the worker.'),
    ('StakeForfeited', 'stake_forfeited', 'A stake was lost to the fee recipient.'),
    ('TaskReopened', 'task_reopened', 'A forfeited claim is open again.'),
    ('VerdictIssued', 'verdict_issued', 'The evaluator decided and was paid.'),
    ('VerdictAppealed', 'verdict_appealed', 'A worker appealed the verdict.'),
    ('DisputeResolved', 'dispute_resolved', 'The resolver decided the appeal.'),
    ('VerdictFinalized', 'verdict_finalized', 'The verdict took effect as it was.'),
    ('EvaluatorTimedOut', 'evaluator_timed_out', 'The evaluator was too late; the requester decides.'),
    ('TaskRated', 'task_rated', 'The requester rated an award.'),
    ('RequesterReputation', 'requester_reputation', 'How the task ended, for the record of its requester: once a task.'),
    ('PayoutDeferred', 'payout_deferred', 'A payout could not be delivered and became a credit.'),
    ('HookCallFailed', 'hook_call_failed', 'A hook failed, or refused what it cannot refuse.')
) as named(name, kind, about)
