import { MAX_SCORE, MAX_WINNERS, MIN_BID, MIN_WITHDRAWAL } from './limits.ts'
import { MIN_REWARD } from './prices.ts'

/**
 * The documentation page of an error detail. A detail is the name of the reason why the service refuses a request. The
 * service serves the page at `<PUBLIC_BASE_URL>/docs/errors/<detail>`.
 */
export interface DetailPage {
  /** The reason for the refusal of the request, in one sentence. */
  meaning: string
  /** The next step that the caller should take, in one sentence. */
  remedy: string
  /**
   * The cost of the refused request, in one sentence. Absent if the request cost nothing: the documentation page of the
   * detail then says "Nothing was charged."
   */
  charge?: string
}

/**
 * All values of `service.detail` in an error body, each with its documentation page (interface specification,
 * "Details"). A detail names the reason why the service refuses a request. Add every new reason here: OpenAPI and
 * `/docs/errors` list these names.
 *
 * Example: `{"reason": "payment_preflight_rejected", "detail": "wrong_state", "docs":
 * "https://.../docs/errors/wrong_state"}`.
 */
export const details = {
  // The form of the request.
  malformed_request: {
    meaning: 'The bytes that arrived are no request of HTTP.',
    remedy: 'Send HTTP/1.1 with a `Host` header.',
  },
  malformed_json: {
    meaning: 'The body, or `input` of a procedure, is not valid JSON in UTF-8, or is nested too deeply.',
    remedy: 'Send the JSON that `/openapi.json` describes for the operation.',
  },
  invalid_input: {
    meaning: 'Fields of the path, query, headers or body have values that the operation does not take.',
    remedy: 'Correct the fields that `issues` names.',
  },
  unknown_field: {
    meaning: 'The request has fields that the operation does not have, and `Prefer: handling=strict`.',
    remedy: 'Correct the names that `issues` lists, or send the request without that header.',
  },
  headers_too_large: { meaning: 'The headers of the request are too large.', remedy: 'Send fewer or shorter ones.' },
  body_too_large: {
    meaning: 'The body is larger than the operation takes.',
    remedy: 'Send less; files go through request-upload-url.',
  },
  body_too_slow: {
    meaning: 'The request took too long to arrive, so that nothing of it was kept.',
    remedy: 'Send it again over a faster connection; large files go through request-upload-url.',
  },
  body_incomplete: { meaning: 'The body broke off before its end.', remedy: 'Send the request again.' },
  unsupported_encoding: {
    meaning: 'The body has a `Content-Encoding`, and is not decoded here.',
    remedy: 'Send the bytes as they are, without that header.',
  },
  not_acceptable: {
    meaning: '`Accept` names no type that the operation answers with.',
    remedy: 'Send one of the types that the message lists, or leave the header out.',
  },
  connection_closed: {
    meaning: 'The client closed the connection before its answer.',
    remedy: 'Send the request again.',
  },
  foreign_origin: {
    meaning: 'The request is of a page of another origin, or names another host than this service.',
    remedy: 'Call `/mcp` at the host of `PUBLIC_BASE_URL`, and not from a page of another site.',
  },
  route_not_found: { meaning: 'There is no route or procedure of this name.', remedy: '`/openapi.json` lists all.' },
  method_not_allowed: {
    meaning: 'The route or procedure takes other methods.',
    remedy: 'Send one of the methods in `Allow` or the message.',
  },
  write_not_alone: {
    meaning: 'A batch of procedures has a write beside other calls.',
    remedy: 'Send the write in a request of its own.',
  },
  // Signed times.
  window_too_short: {
    meaning: 'The end of a signed window has passed or is too near, or a signed timestamp is too old.',
    remedy:
      'Sign again with a later end or the present time; `docs/build/limits.md` has the shortest length of each kind.',
  },
  window_too_long: {
    meaning: 'The end of a signed window, or a signed timestamp, is further ahead than its kind allows.',
    remedy: 'Sign again with an earlier end or the present time; check the clock of the signing machine.',
  },
  clock_ahead: {
    meaning: 'A signed window does not begin before the time of the newest block.',
    remedy: 'Sign with `validAfter` 0, or below the time in `X-Service-Block-Timestamp` of any answer.',
  },
  timestamp_not_newer: {
    meaning: 'A change that was signed with this timestamp or a later one was taken before.',
    remedy: 'Sign again with a later timestamp.',
  },
  // Bound payments.
  bound_field_missing: {
    meaning: 'The call of a bound payment is made of a field that the request lacks.',
    remedy: 'Send the fields that `issues` names, and sign the call that they make.',
  },
  facts_changed: {
    meaning: 'The nonce of a bound payment names another call than the service makes of this request now.',
    remedy:
      'Read the facts of `service.facts` again by GET requests or from a node, decide anew, and sign the new call under the ' +
      'same key; where the call has escrow, only after the first payment has ended.',
  },
  bound_only: {
    meaning: 'The wallet takes bound payments and call-bound texts alone.',
    remedy: 'Sign the payment or text for its call, or switch this off by `POST /api/wallet/bound-only`.',
  },
  no_bound_calls: {
    meaning: 'The forwarder of this deployment is from before bound payments.',
    remedy: 'Sign plain payments and texts; `GET /api/wallet/bound-only` answers `false` for every wallet.',
  },
  // The state of the task.
  task_not_found: {
    meaning: 'There is no task with this id that the caller may act on.',
    remedy: 'Check the id; a private task also needs an invited wallet.',
  },
  wrong_state: {
    meaning: 'The status of the task does not allow this action now.',
    remedy: 'Read the task again and take one of its `pendingActions`.',
  },
  task_changing: {
    meaning: 'Another write of this task is being mined, and this action is not possible after it.',
    remedy:
      'Read the task after the seconds in `Retry-After`; where the other write has failed, send the same request with the same key.',
  },
  wrong_mode: {
    meaning: 'Tasks of this mode have no such action.',
    remedy: 'Read the `mode` of the task; its `pendingActions` list what it allows.',
  },
  too_early: {
    meaning: 'The action becomes possible at a later time.',
    remedy: 'Send it again from the time that the message names.',
  },
  deadline_passed: {
    meaning: 'The action was possible until a deadline that has passed on chain.',
    remedy: 'Read the task again and take one of its `pendingActions`.',
  },
  terms_changed: {
    meaning: 'The task has other terms than the caller has read.',
    remedy: 'Read the task again and decide anew.',
  },
  terms_locked: {
    meaning: 'A worker has entered the task, so this term cannot change any more.',
    remedy: 'Leave the term as it is; raising the reward and extending the deadlines stay possible outside auctions.',
  },
  nothing_to_update: {
    meaning: 'The task has all of the sent terms already.',
    remedy: 'Send at least one term that differs.',
  },
  market_paused: {
    meaning: 'The owner of the market has paused new entries.',
    remedy: 'Try again later; payouts, refunds and other exits go on meanwhile.',
  },
  active_submissions_exist: {
    meaning: 'The task has submissions that were neither accepted nor rejected.',
    remedy: 'Accept a winner, or reject every worker first.',
  },
  no_active_submission: {
    meaning: 'The task has no submission that could be accepted or judged.',
    remedy: 'Wait for a submission, or choose a worker whose submission was not rejected.',
  },
  not_private: { meaning: 'The task is not private.', remedy: 'Nothing is to do: any caller may see it.' },
  viewer_limit: { meaning: 'The task has as many viewers as it can have.', remedy: 'Remove one first.' },
  password_wrong: {
    meaning: 'The password opens no task with this id.',
    remedy: 'Ask the requester for the password, or for a place in the viewer list.',
  },
  // Roles.
  not_requester: {
    meaning: 'Only the requester of the task may do this.',
    remedy: 'Pay or sign with the wallet that created the task.',
  },
  not_worker: {
    meaning: 'Only a worker of the task may do this.',
    remedy: 'Pay or sign with the wallet that the message names.',
  },
  not_evaluator: {
    meaning: 'Only the evaluator of the task may do this.',
    remedy: 'Pay with the wallet in `evaluator` of the task.',
  },
  not_dispute_resolver: {
    meaning: 'Only the dispute resolver of the task may do this.',
    remedy: 'Pay with the wallet in `disputeResolver` of the task.',
  },
  payer_mismatch: {
    meaning: 'The payer of the write is another wallet than its worker.',
    remedy: 'Pay with the wallet in `workerAddress`.',
  },
  own_task: {
    meaning: 'A requester cannot take this part in its own task.',
    remedy: 'Use another wallet only if another party stands behind it.',
  },
  self_rating: {
    meaning: 'A requester cannot rate itself.',
    remedy: 'Rate the other award recipients.',
  },
  requester_cannot_judge: {
    meaning: 'Requester, evaluator and dispute resolver must be three different wallets.',
    remedy: 'Name another evaluator or dispute resolver.',
  },
  judge_cannot_enter: {
    meaning: 'The evaluator and the dispute resolver of a task cannot work on it.',
    remedy: 'Enter with another wallet only if another party stands behind it.',
  },
  worker_rejected: {
    meaning: 'The requester rejected this worker, who cannot enter the task again.',
    remedy: 'Choose another task.',
  },
  not_curator: {
    meaning: 'The signature is not one of a curator of this service over the text that the message has.',
    remedy: 'Sign exactly that text with the wallet of a curator.',
  },
  not_party: {
    meaning: 'Only the requester of the task and the worker of the submission get this.',
    remedy: 'Use a device of one of these wallets.',
  },
  not_this_wallet: {
    meaning: 'Only the wallet that the request is about reads this.',
    remedy: 'Send the read identity of that wallet.',
  },
  identity_missing: {
    meaning: 'The route needs to know the caller, and no valid read identity was sent.',
    remedy: 'Send the read-identity headers, signed by the wallet for this service; the message says which.',
  },
  device_not_found: {
    meaning: 'There is no device with this id and token.',
    remedy: 'Check both, or register a device with `POST /api/devices`.',
  },
  device_ended: { meaning: 'The device was ended.', remedy: 'Register another one with `POST /api/devices`.' },
  device_not_signed: {
    meaning: 'The device was registered without the signature of its wallet that this needs.',
    remedy: 'Register another one with a signature of the wallet in the body.',
  },
  not_drop_owner: {
    meaning: 'Only its owner adds tasks to a task drop.',
    remedy: 'Create a drop with `taskDropCreate`, or pay with the wallet of the owner.',
  },
  task_drop_not_found: {
    meaning: 'There is no task drop with this id.',
    remedy: 'Check the id in `GET /api/task-drops`.',
  },
  // Terms of a new or changed task.
  reward_too_low: {
    meaning: 'The reward is below the least reward.',
    remedy: `Send at least ${MIN_REWARD} base units (0.001 USDC).`,
  },
  reward_too_high: {
    meaning: 'The reward is above the largest amount that the contract stores.',
    remedy: 'Send a smaller reward; amounts are USDC base units (1 USDC is 1000000).',
  },
  invalid_reward: {
    meaning: 'The new reward is outside the amounts that a task can have.',
    remedy: 'Send a reward within the bounds of the message.',
  },
  zero_price: { meaning: 'A price is 0.', remedy: 'Send a price above 0, or leave the field out.' },
  auction_type_missing: {
    meaning: 'An auction needs its subtype.',
    remedy: 'Send `auctionType`: `dutch`, `english`, `reverse_dutch` or `reverse_english`.',
  },
  max_price_not_reward: {
    meaning: 'The maximum price of an auction is its reward.',
    remedy: 'Send `maxPrice` with the value of `reward`.',
  },
  clock_price_missing: {
    meaning: 'A clock auction needs its floor price (dutch) or its start price (reverse_dutch).',
    remedy: 'Send the field that the message names.',
  },
  clock_price_above_reward: {
    meaning: 'The floor or start price of an auction is above its reward.',
    remedy: 'Send a price of at most the reward.',
  },
  stake_not_required: {
    meaning: 'A stake share was sent for a task without stake.',
    remedy: 'Send `stakeRequired: true`, or leave `stakeBps` out.',
  },
  stake_outside_claim: { meaning: 'Only tasks of claim mode take a stake.', remedy: 'Leave `stakeRequired` out.' },
  stake_missing: {
    meaning: 'A stake is required and its share is 0.',
    remedy: 'Send `stakeBps` from 1 to 10000, or leave `stakeRequired` out.',
  },
  pitch_deadline_after_expiry: {
    meaning: 'The deadline for pitches lies after the expiry of the task.',
    remedy: 'Send an earlier `pitchDeadline` (seconds) or a longer `duration` (hours).',
  },
  bid_deadline_after_expiry: {
    meaning: 'The deadline for bids lies after the expiry of the task.',
    remedy: 'Send an earlier `bidDeadline` (hours) or a longer `duration` (hours).',
  },
  bid_deadline_not_before_expiry: {
    meaning: 'An auction by bids needs a deadline for bids that lies before the expiry.',
    remedy: 'Send `bidDeadline` (hours), shorter than `duration`.',
  },
  deadline_after_expiry: {
    meaning: 'A deadline would lie after the expiry of the task.',
    remedy: 'Extend `expiryTime` in the same update, or send an earlier deadline.',
  },
  invalid_expiry: {
    meaning: 'The new expiry lies in the past or more than ten years ahead.',
    remedy: 'Send `expiryTime` as Unix seconds within ten years from now.',
  },
  invalid_deadline: {
    meaning: 'The new deadline lies in the past or more than ten years ahead.',
    remedy: 'Send the deadline as Unix seconds within ten years from now.',
  },
  invalid_hooks: {
    meaning: 'The hooks of the new task cannot be attached.',
    remedy: 'Send at most 8 different, non-zero hook contracts, the hooks of the market not among them.',
  },
  invalid_evaluator: {
    meaning: 'The evaluator or the dispute resolver cannot be this address.',
    remedy: 'Send two different, non-zero addresses, or leave the field out.',
  },
  evaluator_missing: {
    meaning: 'Terms of an evaluation were sent without an evaluator.',
    remedy: 'Send `evaluator`, or leave the field out.',
  },
  fees_too_high: {
    meaning: 'The evaluator fee and the platform fee together exceed the reward.',
    remedy: 'Send `evaluatorFeeBps` within the bound of the message.',
  },
  appeal_window_too_short: {
    meaning: 'The window for an appeal is shorter than 300 seconds.',
    remedy: 'Send `appealWindowHours` of a twelfth of an hour or more.',
  },
  two_task_drops: {
    meaning: 'A task belongs to one task drop, and two were sent.',
    remedy: 'Send `taskDropId` or `taskDropCreate`.',
  },
  private_access_missing: {
    meaning: 'A private task needs a viewer list or a password.',
    remedy: 'Send `allowedViewers`, `accessPassword`, or both.',
  },
  access_without_private: {
    meaning: 'Viewer lists and passwords are for private tasks.',
    remedy: 'Send `taskVisibility: "private"`, or leave the field out.',
  },
  document_repeated: {
    meaning: 'The account has sent the same document with the same salt before.',
    remedy: 'Look the earlier write up, or send another `documentSalt` of 32 random bytes.',
  },
  // Awards and verdicts.
  no_winners: { meaning: 'No winner was named.', remedy: 'Name at least one worker.' },
  too_many_winners: { meaning: `A task has at most ${MAX_WINNERS} winners.`, remedy: 'Name fewer workers.' },
  duplicate_winner: {
    meaning: 'A worker is named twice.',
    remedy: 'Name each worker once, with the sum of its shares.',
  },
  duplicate_rank: { meaning: 'Two awards have the same rank.', remedy: 'Give each award a rank of its own, from 1.' },
  invalid_rank: { meaning: 'A rank is outside its bounds.', remedy: 'Send ranks within the bounds of the message.' },
  invalid_shares: {
    meaning: 'The shares of the winners do not sum to 10000 basis points.',
    remedy: 'Send shares that sum to exactly 10000.',
  },
  zero_award: { meaning: 'An award is less than one base unit.', remedy: 'Leave the worker out, or raise its part.' },
  awards_exceed_escrow: {
    meaning: 'The awards sum to more than the escrow less the evaluator fee.',
    remedy: 'Lower the amounts to the sum that the message names.',
  },
  awards_not_allowed: {
    meaning: 'A rejection pays no worker.',
    remedy: 'Leave `awards` out, or send another verdict.',
  },
  invalid_score: {
    meaning: `A score or confidence is outside 0 to ${MAX_SCORE}.`,
    remedy: `Send an integer from 0 to ${MAX_SCORE}.`,
  },
  unknown_submission: {
    meaning: 'The pinned submission is not one of this worker to this task.',
    remedy: 'Read `GET /api/tasks/{taskId}/submissions`, or leave `submissionId` out.',
  },
  not_selected_worker: {
    meaning: 'Only the selected worker of the task can be awarded.',
    remedy: 'Name the worker in `claimedBy` of the task.',
  },
  not_awarded: { meaning: 'The worker received no award of this task.', remedy: 'Rate a worker in `awards`.' },
  already_rated: { meaning: 'The worker was rated for this task.', remedy: 'Nothing is left to do.' },
  already_objected: { meaning: 'The objection to this delivery is on chain.', remedy: 'Nothing is left to do.' },
  evaluator_assigned: {
    meaning: 'The task has an evaluator, who cannot be replaced.',
    remedy: 'Wait for the verdict, or call evaluator-timeout after its deadline.',
  },
  evaluator_decides: {
    meaning: 'An evaluator decides over the submissions of this task.',
    remedy: 'Wait for the verdict, or call evaluator-timeout after its deadline.',
  },
  no_evaluator: { meaning: 'The task has no evaluator.', remedy: 'The requester accepts or rejects the delivery.' },
  no_resolver: { meaning: 'The task has no dispute resolver, so the verdict stands.', remedy: 'Finalize the verdict.' },
  contest_still_open: {
    meaning: 'Before the expiry of a contest only an approval that pays out everything is accepted.',
    remedy: 'Wait for the expiry, or approve with awards that sum to the escrow less the fee.',
  },
  // Pitches, bids and prices.
  no_pitch: {
    meaning: 'No worker has pitched for the task, or not the one that the request names.',
    remedy: 'Name a worker of `GET /api/tasks/{taskId}/pitches`, or wait for a pitch.',
  },
  unknown_pitch: { meaning: 'The pitch is not one of this worker for this task.', remedy: 'Read the pitches again.' },
  no_bids: { meaning: 'No worker has bid.', remedy: 'Wait for the expiry and refund the task.' },
  bids_exist: {
    meaning: 'A worker has bid, so the auction cannot be cancelled.',
    remedy: 'Select the lowest bidder after the deadline for bids.',
  },
  invalid_price: {
    meaning: `A bid is below ${MIN_BID} base units, or an update leaves a floor or start price of 0 or above the reward.`,
    remedy: `Bid ${MIN_BID} base units or more; send a floor or start price of at most the reward.`,
  },
  bid_too_high: { meaning: 'The bid is above the maximum price.', remedy: 'Bid at most `maxPrice` of the task.' },
  bid_not_lower: { meaning: 'The bid is not below the one that it must beat.', remedy: 'Bid less.' },
  bid_limit_reached: {
    meaning: 'The auction has 500 bids and takes only one that leads.',
    remedy: 'Bid below the lowest bid.',
  },
  price_below_minimum: {
    meaning: 'The clock price is below `minPrice`.',
    remedy: 'Send a lower `minPrice`; in a reverse_dutch auction the price rises with time.',
  },
  duplicate_submission: {
    meaning: 'The worker has submitted the same proof to this task.',
    remedy: 'Send another proof, or wait for the decision.',
  },
  // Submissions and uploads.
  submission_not_found: {
    meaning: 'There is no submission with this id that the caller may see.',
    remedy: 'Read `GET /api/tasks/{taskId}/submissions` with the read identity of a party.',
  },
  not_accepted: {
    meaning: 'The submission was not accepted, or by another transaction than the one that was sent.',
    remedy: 'Read `settlementTxHash` of its award in the task.',
  },
  file_not_found: {
    meaning: 'There is no such file that the caller may see, or it was deleted after its retention.',
    remedy: 'Read `artifacts` in the list of the submissions of the task.',
  },
  link_expired: {
    meaning: 'The signed URL is not valid any more, or was changed.',
    remedy: 'Ask for a new one by the route that gave it.',
  },
  preimage_not_found: {
    meaning: 'There is no document behind this hash that the caller may see.',
    remedy: 'Check the id, and send the read identity of a wallet that may see it.',
  },
  not_anchored: {
    meaning: 'The pitch has no hash on chain: its write is under way or has failed.',
    remedy: 'Look its write up at `GET /api/intents`.',
  },
  feedback_not_found: {
    meaning: 'There is no feedback file with this id that the caller may see.',
    remedy: 'Check the id in the feedback of the agent.',
  },
  upload_differs: {
    meaning: 'Length or type of the bytes is another than the one that was announced.',
    remedy: 'Send exactly what was announced, or ask for a new URL.',
  },
  upload_gone: {
    meaning: 'The upload was deleted, since no submission named it in time.',
    remedy: 'Ask for a new URL.',
  },
  upload_in_progress: {
    meaning: 'The bytes of this upload are coming in another request.',
    remedy: 'Wait for its end, or ask for a new URL.',
  },
  upload_written: {
    meaning: 'An upload is written once, and this one has its bytes.',
    remedy: 'Submit it, or ask for a new URL for other bytes.',
  },
  submission_ceiling: {
    meaning: 'The worker has made every submission that one worker may make to a task.',
    remedy: 'Wait for the decision about the earlier ones.',
  },
  allowance_used_up: {
    meaning: 'The free submissions of this worker to this task are used up.',
    remedy: 'Send the request again and pay the fee that its 402 names.',
  },
  signature_invalid: {
    meaning: 'The signature is not one of the wallet over the text or authorization that the message names.',
    remedy: 'Sign exactly that with the wallet: a text by EIP-191, an authorization by EIP-712.',
  },
  wallet_not_deployed: {
    meaning: 'The signature is in an ERC-6492 envelope, of a smart wallet that has no code on this chain yet.',
    remedy: 'Deploy the wallet, then sign and send the request again.',
  },
  signature_public: {
    meaning: 'The signature was in a transaction that reverted, so that other people can read and send it.',
    remedy: 'Repeat the request with the read-identity headers of the signer.',
  },
  signature_not_bound: {
    meaning: 'This worker signs its submissions to this task together with their files.',
    remedy: 'Upload the files and use from-keys, with their keys at the end of the signed text.',
  },
  upload_unknown: {
    meaning: 'The key is not one of an upload of this worker to this task.',
    remedy: 'Ask for an upload URL with request-upload-url.',
  },
  upload_missing: { meaning: 'No bytes arrived at the upload URL.', remedy: 'PUT the file to its URL first.' },
  upload_submitted: { meaning: 'The upload is part of a submission.', remedy: 'Upload the file again.' },
  upload_changed: { meaning: 'The upload changed while it was read.', remedy: 'Send the request again.' },
  upload_type_differs: {
    meaning: 'The type differs from the one that the upload was requested with.',
    remedy: 'Send the same `mimeType` in both requests.',
  },
  upload_size_differs: {
    meaning: 'The size differs from the stored file or from the requested upload.',
    remedy: 'Send the exact size of the file in both requests.',
  },
  upload_hash_differs: {
    meaning: 'A hash differs from the one of the stored bytes.',
    remedy: 'Hash the bytes that were uploaded, or upload the file again.',
  },
  // Wallets, withdrawals and vaults.
  no_credit: { meaning: 'The market holds no credit for this wallet.', remedy: 'Nothing is left to do.' },
  no_bonus: { meaning: 'This market has no token bonus.', remedy: 'Nothing can be withdrawn.' },
  nothing_to_withdraw: { meaning: 'The wallet has no reward tokens to withdraw.', remedy: 'Nothing is left to do.' },
  no_withdrawal_address: {
    meaning: 'No withdrawal address is registered for the wallet.',
    remedy: 'Register one with `POST /api/wallet/set-withdrawal-address`.',
  },
  withdrawal_address_set: {
    meaning: 'The wallet has a withdrawal address already.',
    remedy: 'Change it with its recovery code by `POST /api/wallet/change-withdrawal-address`.',
  },
  no_recovery_code: {
    meaning: 'The withdrawal address has no recovery code yet.',
    remedy: 'Reveal one with `POST /api/wallet/reveal-recovery-code`.',
  },
  recovery_code_wrong: { meaning: 'The recovery code is wrong.', remedy: 'Send the code that was shown last.' },
  recovery_code_shown: {
    meaning: 'The recovery code of the wallet was shown, and is shown once.',
    remedy: 'Use the code that was shown; this service cannot read it.',
  },
  other_receiver: {
    meaning: 'The receiver is not the registered withdrawal address.',
    remedy: 'Sign with the registered address as receiver.',
  },
  own_address: {
    meaning: 'The registered withdrawal address is the wallet itself, so nothing would move.',
    remedy: 'Change the withdrawal address first.',
  },
  other_owner: { meaning: 'The authorization is of another wallet.', remedy: 'Sign with the wallet in `from`.' },
  other_amount: {
    meaning: 'The authorization is over another amount.',
    remedy: 'Sign the amount in `amountBaseUnits`.',
  },
  too_little: {
    meaning: 'The amount is below the least withdrawal.',
    remedy: `Withdraw ${MIN_WITHDRAWAL} base units or more.`,
  },
  balance_too_low: { meaning: 'The wallet holds less than the amount.', remedy: 'Fund the wallet, or ask for less.' },
  authorization_used: {
    meaning: 'The authorization was used or cancelled on chain.',
    remedy: 'Sign a new one with another nonce.',
  },
  too_many_withdrawals: {
    meaning: 'The wallet has used its withdrawals without gas for this day.',
    remedy: 'Wait, or send the transaction directly.',
  },
  destination_unusable: {
    meaning: 'Tokens sent to this destination would be lost.',
    remedy: 'Name a wallet: not zero, no contract of this market and none of its tokens.',
  },
  nonce_zero: { meaning: 'The nonce is zero.', remedy: 'Sign 32 random bytes as nonce.' },
  nonce_used: { meaning: 'The nonce was used.', remedy: 'Sign with a nonce that was not used.' },
  nonce_not_next: {
    meaning: 'The nonce of a claim, or the counter of the switch `boundOnly`, is not the next one of the wallet.',
    remedy: 'Sign the next one, which the message names; of a vault, or retry after the earlier claim.',
  },
  claim_in_progress: {
    meaning: 'Another claim of this worker in this vault is on its way.',
    remedy: 'Retry under the same key within a minute.',
  },
  vault_not_found: { meaning: 'There is no vault with this id.', remedy: 'Check the id in the list of vaults.' },
  no_vaults: { meaning: 'This deployment has no sponsored tasks.', remedy: 'Create the task without a vault.' },
  vault_exited: {
    meaning: 'The owner has closed the vault.',
    remedy: 'Nothing is left to do: its unclaimed rewards are gone.',
  },
  other_vault: { meaning: 'The body names another vault than the path.', remedy: 'Send the vault of the path.' },
  no_reward: { meaning: 'The task has no reward of this vault.', remedy: 'Check the task and the vault.' },
  not_settled: {
    meaning: 'The settlement of the task is not installed in the vault yet.',
    remedy: 'Try again in a minute or two.',
  },
  mint_in_progress: {
    meaning: 'An identity of the wallet is being minted.',
    remedy: 'Poll `GET /api/identity/status`.',
  },
  call_expired: { meaning: 'A call of the keeper was recorded too long ago.', remedy: 'The keeper makes a new one.' },
  // Payments and consent.
  payment_required: {
    meaning: 'The write is paid, and no payment was sent.',
    remedy: 'Sign the challenge and repeat the request with `PAYMENT-SIGNATURE`.',
  },
  payment_malformed: {
    meaning: '`PAYMENT-SIGNATURE` is no payment of x402 version 2 with the scheme `exact`.',
    remedy: 'Send base64 of the JSON that the challenge describes; `issues` names the field.',
  },
  payment_differs: {
    meaning: 'The payment is for another receiver, amount, asset or network than this request asks for.',
    remedy: 'Sign the requirement of the challenge that comes with this answer.',
  },
  payment_used: {
    meaning: 'The payment funds another write.',
    remedy: 'Look that write up at `GET /api/intents`; sign a new payment only for another write.',
    charge: 'Nothing more: the payment funds the write that `service.intentId` names.',
  },
  payment_unrecorded: {
    meaning: 'The payment was used on chain by a write that this service has no record of.',
    remedy: 'Look at what its transaction did before a new one is signed.',
    charge: 'Nothing more: the payment was charged by the transaction that used it.',
  },
  payment_orphaned: {
    meaning: 'The payment was settled on chain by another party before it funded a write.',
    remedy: 'Sign a new payment; the money of this one goes back to the payer, unless the message says otherwise.',
    charge: 'The payment arrived without a write: its amount is returned to the payer.',
  },
  payment_not_taken: {
    meaning: 'The service failed before it took the payment.',
    remedy: 'Repeat the request with the same key.',
  },
  consent_required: {
    meaning: 'The wallet accepts only payments that name their request.',
    remedy:
      'Sign the request text of the message; for a stock x402 client switch consent off: `POST /api/wallet/consent`, signed over the text that the message has, or `task-market wallet consent off`.',
  },
  // Policies.
  legal_acceptance_required: {
    meaning: 'The write needs a receipt that its wallet has accepted the current policies.',
    remedy:
      'Sign the challenge of `POST /api/legal/challenge`, and repeat the request with the receipt of its acceptance.',
  },
  legal_draft: {
    meaning: 'The current policies are a draft, and no write needs their acceptance.',
    remedy: 'Write without a receipt; `acceptanceAvailable` of `GET /api/legal/current` says when one is needed.',
  },
  legal_other_bundle: {
    meaning: 'The acceptance is of other policies than the current ones.',
    remedy: 'Read `GET /api/legal/current` and sign a new challenge.',
  },
  challenge_not_found: {
    meaning: 'The wallet has no challenge with this nonce.',
    remedy: 'Ask for one with `POST /api/legal/challenge`.',
  },
  challenge_ended: {
    meaning: 'The challenge was used or has expired.',
    remedy: 'Ask for a new one with `POST /api/legal/challenge`.',
  },
  document_not_found: {
    meaning: 'No policy with this hash was published here.',
    remedy: 'Read the hashes of `GET /api/legal/current`.',
  },
  // Keys and writes.
  key_missing: {
    meaning: 'The write has no idempotency key.',
    remedy: 'Send a random UUID in the header that the message names, and the same one with each repetition.',
  },
  key_of_other_request: {
    meaning: 'The idempotency key belongs to a write of another operation or with other arguments.',
    remedy: 'Repeat that write unchanged, or use a fresh key.',
  },
  key_used: {
    meaning: 'A write under this key exists, and is not sent again.',
    remedy: 'Look its outcome up at `GET /api/intents`; use a fresh key for another write.',
    charge: 'Nothing more: the write under this key is charged once at most.',
  },
  key_in_use: {
    meaning: 'Another request under this key is in progress, or has just released it.',
    remedy: 'Look the outcome up at `GET /api/intents`, then repeat the request with the same key if there is none.',
    charge: 'Nothing by this request; the other one is charged once at most.',
  },
  write_undecided: {
    meaning: 'The write is in progress, and its outcome is not decided.',
    remedy: 'Look it up at `GET /api/intents` until it is; do not send it under another key.',
    charge: 'Not decided: the write is charged once if it completes, and not at all if it fails.',
  },
  write_failed: {
    meaning: 'The write was accepted, and its transaction cannot succeed any more.',
    remedy: 'Read the reason in the message, and use a fresh key to try again.',
    charge: 'Nothing, or the payment is returned: `refund` of the intent at `GET /api/intents` says which.',
  },
  write_held: {
    meaning: 'The payment was used on chain by another party and the write could not follow.',
    remedy: 'Wait for the operator, and read `refund` of the intent at `GET /api/intents`.',
    charge: 'The payment is on chain: the operator completes the write or returns the amount.',
  },
  answer_deferred: {
    meaning: 'The write is on chain; only its answer could not be made.',
    remedy: 'Read its effect, or the intent at `GET /api/intents`; do not send it again.',
    charge: 'The price of the write, once: it is done.',
  },
  would_revert: {
    meaning: 'The contracts would refuse the call in the current state of the chain.',
    remedy: 'Read the reason in the message and the task again, and decide anew.',
  },
  relayer_unfunded: {
    meaning: 'The account that sends the transactions of the service has too little for gas.',
    remedy: 'Repeat the request with the same key later, or send the transaction directly.',
  },
  // Gas.
  gas_ceiling: {
    meaning: 'The call takes more gas than is relayed for an operation of its kind.',
    remedy: 'Send the transaction directly to the contract that the message names, or make the input smaller.',
  },
  gas_budget: {
    meaning: 'The gas that is relayed for free in a day is used up: by this client, or by all clients.',
    remedy: 'Wait for the seconds in `Retry-After`, or send the transaction directly.',
  },
  // The service.
  internal_error: {
    meaning: 'The service failed in a way that it has no name for; the failure is in its log.',
    remedy: 'Send the request again; look a write up at `GET /api/intents` first.',
    charge: 'Nothing by a read; the intent of a write says what was charged.',
  },
  timed_out: {
    meaning: 'The service could not answer in time.',
    remedy: 'Send the request again after the seconds in `Retry-After`.',
  },
  not_ready: {
    meaning: 'The service has just started, and what was asked for is not computed yet.',
    remedy: 'Send the request again after the seconds in `Retry-After`.',
  },
  rate_limited: {
    meaning: 'The client has used up one of its rate limits.',
    remedy: 'Wait for the seconds in `Retry-After`; the `RateLimit` headers say what is left.',
  },
  byte_quota: {
    meaning:
      'The files do not fit into the stored bytes that the client, the worker, or the worker at the task may have.',
    remedy:
      'Wait for the seconds in `Retry-After`, or deliver smaller files; without the header, waiting makes no room.',
  },
  index_recovering: {
    meaning:
      'The service is writing rows again that its index had, and some are missing now; or a newer release wrote them, and this process ends.',
    remedy: 'Send the same request again after the time in `Retry-After`; nothing was charged.',
  },
  node_unavailable: {
    meaning: 'The service cannot reach a node of the chain, or the chain has stopped.',
    remedy: 'Retry under the same key after the seconds in `Retry-After`, or send the transaction directly.',
  },
  database_unavailable: {
    meaning: 'The service cannot reach its database.',
    remedy: 'Retry under the same key after the seconds in `Retry-After`.',
  },
  storage_unavailable: {
    meaning: 'The service cannot reach its file storage.',
    remedy: 'Retry under the same key after the seconds in `Retry-After`.',
  },
  storage_full: { meaning: 'The file storage has no room.', remedy: 'Retry later, or link to the file in a text.' },
  overloaded: {
    meaning: 'The service has too many requests of this kind in progress.',
    remedy: 'Retry under the same key after the seconds in `Retry-After`.',
  },
  // Reads.
  agent_not_found: {
    meaning: 'There is no agent with this id.',
    remedy: 'Check the id in `GET /api/agents/leaderboard`.',
  },
  public_key_not_found: {
    meaning: 'The wallet has published no key.',
    remedy: 'Ask its owner to publish one with `POST /api/agents/public-key`.',
  },
  intent_unreadable: {
    meaning: 'There is no intent of this id or key that the caller may read.',
    remedy:
      'Send the `PAYMENT-SIGNATURE` of the write, or the read identity of its signer; a read identity with an end is signed over the host of `PUBLIC_BASE_URL`, which is the host of this page.',
  },
  cursor_of_other_sort: {
    meaning: 'The cursor is of a list in another order than the one that is asked for.',
    remedy: 'Send the cursor with the `sort` of the page that it comes from, or begin at the first page.',
  },
  table_not_found: { meaning: 'There is no table of this name.', remedy: '`GET /api/sql/schema` lists all.' },
  page_not_found: { meaning: 'The answer has fewer pages.', remedy: 'Follow `next` of each page to the last.' },
  answer_gone: { meaning: 'The answer of the query is kept no longer.', remedy: 'Send the query again.' },
  export_not_found: { meaning: 'There is no such file of an export.', remedy: '`GET /api/exports` lists all.' },
  sql_busy: {
    meaning: 'The client has as many queries in progress as one may have.',
    remedy: 'Send it again when one of them has ended.',
  },
  sql_unavailable: {
    meaning: 'The service could not run the query now.',
    remedy: 'Send it again after the seconds in `Retry-After`.',
  },
  sql_syntax: {
    meaning: 'PostgreSQL does not take the query: its grammar, a name in it, or a value.',
    remedy: 'Mend the text at `issues[0].position`; `GET /api/sql/schema` lists the tables and columns.',
  },
  sql_refused: {
    meaning: 'The query is not one SELECT, calls or reads what analysts may not, or answers two columns of one name.',
    remedy:
      'Send one SELECT over `market` and `analytics` with the functions that `docs/build/analytics.md` lists, and name its columns apart.',
  },
  sql_limit: {
    meaning: 'The query or its answer takes more time, memory, rows, columns or bytes than one may have.',
    remedy: 'Narrow it, add `LIMIT`, or take the files of `GET /api/exports`.',
  },
  // The log of changes.
  events_gone: {
    meaning: 'The place of the log is not kept any more, or the ids of its entries were begun anew.',
    remedy: 'Begin with `fromBlock`, the last `finalizedUpTo` that you read; entries may come twice then.',
  },
  stream_limit: {
    meaning: 'The client has as many open streams or waiting requests as one may have.',
    remedy: 'Close one, or read pages.',
  },
  webhook_not_found: { meaning: 'There is no webhook with this id.', remedy: 'Check the id in `GET /api/webhooks`.' },
  webhook_limit: { meaning: 'The wallet or the client has as many webhooks as one may have.', remedy: 'Delete one.' },
  webhooks_full: {
    meaning: 'The service has as many webhooks as it takes.',
    remedy: 'Read the log by `GET /api/events` instead.',
  },
  webhook_unverified: {
    meaning: 'The URL of the webhook has answered no test.',
    remedy: 'Have one sent by its route `test`.',
  },
  webhook_busy: {
    meaning: 'Another delivery to the host of this webhook is in progress.',
    remedy: 'Ask again after the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, DetailPage>

/** The name of the reason why the service refuses a request: a key of `details`. */
export type Detail = keyof typeof details

/** Names of all error details, for OpenAPI and tests. */
export const detailNames = Object.keys(details) as Detail[]
