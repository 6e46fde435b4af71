import { getAgentCount } from '../features/agents/get-agent-count.ts'
import { getAgentStats } from '../features/agents/get-agent-stats.ts'
import { getPublicKey } from '../features/agents/get-public-key.ts'
import { listLeaderboardEntries } from '../features/agents/list-leaderboard.ts'
import { listAgentWork } from '../features/agents/list-work.ts'
import { setPublicKey } from '../features/agents/set-public-key.ts'
import { getArtifactBytes } from '../features/artifacts/get-artifact-bytes.ts'
import { getArtifactPreview } from '../features/artifacts/get-artifact-preview.ts'
import { acceptAuction } from '../features/bids/accept-auction.ts'
import { createBid } from '../features/bids/create-bid.ts'
import { listTaskBids } from '../features/bids/list-bids.ts'
import { listMyBids } from '../features/bids/list-my-bids.ts'
import { selectWinner } from '../features/bids/select-winner.ts'
import { getBooks } from '../features/books/get-books.ts'
import { createClaim } from '../features/claims/create-claim.ts'
import { getClaim } from '../features/claims/get-claim.ts'
import type { RouteContract } from '../features/define-route.ts'
import { endDevice } from '../features/devices/end-device.ts'
import { getDeviceKey } from '../features/devices/get-device-key.ts'
import { getDeviceStatus } from '../features/devices/get-device-status.ts'
import { registerDevice } from '../features/devices/register-device.ts'
import { appealVerdict } from '../features/evaluation/appeal-verdict.ts'
import { assignEvaluator } from '../features/evaluation/assign-evaluator.ts'
import { evaluateTask } from '../features/evaluation/evaluate-task.ts'
import { finalizeVerdict } from '../features/evaluation/finalize-verdict.ts'
import { resolveDispute } from '../features/evaluation/resolve-dispute.ts'
import { timeOutEvaluator } from '../features/evaluation/time-out-evaluator.ts'
import { listLogEvents } from '../features/events/list-events.ts'
import { listExports } from '../features/exports/list-exports.ts'
import { getFeedbackFile } from '../features/feedback/get-feedback-file.ts'
import { listTaskFeedbacks } from '../features/feedback/list-feedbacks.ts'
import { getHealth } from '../features/health/get-health.ts'
import { adoptIdentity } from '../features/identity/adopt-identity.ts'
import { getIdentityStatus } from '../features/identity/get-identity-status.ts'
import { getRegistration } from '../features/identity/get-registration.ts'
import { registerIdentity } from '../features/identity/register-identity.ts'
import { getIntent } from '../features/intents/get-intent.ts'
import { acceptBundle } from '../features/legal/accept-bundle.ts'
import { getCurrentBundle } from '../features/legal/get-current-bundle.ts'
import { getDocument } from '../features/legal/get-document.ts'
import { getStatus } from '../features/legal/get-status.ts'
import { issueChallenge } from '../features/legal/issue-challenge.ts'
import { getAttachmentConfiguration } from '../features/market/get-attachment-configuration.ts'
import { getNetwork } from '../features/market/get-network.ts'
import { createPitch } from '../features/pitches/create-pitch.ts'
import { getPitchPreimage } from '../features/pitches/get-pitch-preimage.ts'
import { listTaskPitches } from '../features/pitches/list-pitches.ts'
import { selectWorker } from '../features/pitches/select-worker.ts'
import { addTaskViewer } from '../features/private-access/add-viewer.ts'
import { listTaskViewers } from '../features/private-access/list-viewers.ts'
import { removeTaskViewer } from '../features/private-access/remove-viewer.ts'
import { verifyAccessPassword } from '../features/private-access/verify-password.ts'
import { createProof } from '../features/proofs/create-proof.ts'
import { getProofPreimage } from '../features/proofs/get-proof-preimage.ts'
import { listTaskProofs } from '../features/proofs/list-proofs.ts'
import { getRequesterStats, getRequesterStatsAlias } from '../features/requesters/get-requester-stats.ts'
import { buildFundingHookData } from '../features/sponsored-task-vaults/build-funding-hook-data.ts'
import { claimReward } from '../features/sponsored-task-vaults/claim-reward.ts'
import { getClaimNonce } from '../features/sponsored-task-vaults/get-claim-nonce.ts'
import { getSettlement } from '../features/sponsored-task-vaults/get-settlement.ts'
import { getVault, getVaultBalance } from '../features/sponsored-task-vaults/get-vault.ts'
import { listClaimable } from '../features/sponsored-task-vaults/list-claimable.ts'
import { listEntitlements } from '../features/sponsored-task-vaults/list-entitlements.ts'
import { listManagers } from '../features/sponsored-task-vaults/list-managers.ts'
import { listVaults } from '../features/sponsored-task-vaults/list-vaults.ts'
import { listVaultsByToken } from '../features/sponsored-task-vaults/list-vaults-by-token.ts'
import { previewFunding } from '../features/sponsored-task-vaults/preview-funding.ts'
import { setVaultCuration } from '../features/sponsored-task-vaults/set-curation-status.ts'
import { explainSql } from '../features/sql/explain-sql.ts'
import { getSqlSchema } from '../features/sql/get-sql-schema.ts'
import { getSqlAnswer, getSqlCsv, runSql } from '../features/sql/run-sql.ts'
import { getDailyStats } from '../features/stats/get-daily-stats.ts'
import { createFromKeys } from '../features/submissions/create-from-keys.ts'
import { createSubmission } from '../features/submissions/create-submission.ts'
import { downloadSubmission } from '../features/submissions/download-submission.ts'
import { getManifest } from '../features/submissions/get-manifest.ts'
import { listMySubmissions } from '../features/submissions/list-my-submissions.ts'
import { listTaskSubmissions } from '../features/submissions/list-submissions.ts'
import { previewSubmission } from '../features/submissions/preview-submission.ts'
import { rejectSubmission } from '../features/submissions/reject-submission.ts'
import { requestUploadUrl } from '../features/submissions/request-upload-url.ts'
import { acceptSubmission } from '../features/tasks/accept-submission.ts'
import { acceptSubmissions } from '../features/tasks/accept-submissions.ts'
import { cancelTask } from '../features/tasks/cancel-task.ts'
import { createTask } from '../features/tasks/create-task.ts'
import { getTaskDrop } from '../features/tasks/drops/get-task-drop.ts'
import { listTaskDrops } from '../features/tasks/drops/list-task-drops.ts'
import { forfeitTask } from '../features/tasks/forfeit-task.ts'
import { getTaskStats } from '../features/tasks/list/get-task-stats.ts'
import { listTasks } from '../features/tasks/list/list-tasks.ts'
import { objectToDelivery } from '../features/tasks/object-to-delivery.ts'
import { rateWorker } from '../features/tasks/rate-worker.ts'
import { refundExpiredTask } from '../features/tasks/refund-expired-task.ts'
import { settleStaleTask } from '../features/tasks/settle-stale-task.ts'
import { updateTask } from '../features/tasks/update-task.ts'
import { getActionQueue } from '../features/tasks/worklists/get-action-queue.ts'
import { getInbox } from '../features/tasks/worklists/get-inbox.ts'
import { putUpload } from '../features/uploads/put-upload.ts'
import { getBalance } from '../features/wallet/get-balance.ts'
import { getBoundOnly } from '../features/wallet/get-bound-only.ts'
import { getConsent } from '../features/wallet/get-consent.ts'
import { getCredit } from '../features/wallet/get-credit.ts'
import { getExchangeRate } from '../features/wallet/get-exchange-rate.ts'
import { getTokenBalance } from '../features/wallet/get-token-balance.ts'
import { pushCredit } from '../features/wallet/push-credit.ts'
import { setBoundOnly } from '../features/wallet/set-bound-only.ts'
import { setConsent } from '../features/wallet/set-consent.ts'
import { withdraw } from '../features/wallet/withdraw.ts'
import { withdrawToken } from '../features/wallet/withdraw-token.ts'
import { changeWithdrawalAddress } from '../features/wallet/withdrawal-address/change-withdrawal-address.ts'
import { getWithdrawalAddress } from '../features/wallet/withdrawal-address/get-withdrawal-address.ts'
import { listWithdrawalAddressHistory } from '../features/wallet/withdrawal-address/list-withdrawal-address-history.ts'
import {
  revealBackfilledRecoveryCode,
  revealRecoveryCode,
} from '../features/wallet/withdrawal-address/reveal-recovery-code.ts'
import { setWithdrawalAddress } from '../features/wallet/withdrawal-address/set-withdrawal-address.ts'
import { createWebhook } from '../features/webhooks/create-webhook.ts'
import { deleteWalletWebhook } from '../features/webhooks/delete-webhook.ts'
import { listWebhookDeliveries } from '../features/webhooks/list-deliveries.ts'
import { listWalletWebhooks } from '../features/webhooks/list-webhooks.ts'
import { replayWebhook } from '../features/webhooks/replay-webhook.ts'
import { resumePausedWebhook } from '../features/webhooks/resume-webhook.ts'
import { rotateWebhookSecret } from '../features/webhooks/rotate-secret.ts'
import { testWebhook } from '../features/webhooks/test-webhook.ts'
import type { AnyWrite } from '../writes/relayed-write.ts'
import { getTask } from './task-parts.ts'

/**
 * All routes except relayed writes, in the order of the documentation. If a fixed path also matches the pattern of
 * another route, the fixed path must come first. Example: `/tasks/stats` comes before `/tasks/{taskId}`.
 */
export const routes: readonly RouteContract[] = [
  getHealth,
  getNetwork,
  getBooks,
  getDailyStats,
  getAttachmentConfiguration,
  getTaskStats,
  listTasks,
  getTask,
  listTaskDrops,
  getTaskDrop,
  listTaskSubmissions,
  listMySubmissions,
  getManifest,
  requestUploadUrl,
  previewSubmission,
  downloadSubmission,
  getClaim,
  listTaskBids,
  listMyBids,
  listTaskPitches,
  getPitchPreimage,
  listTaskProofs,
  getProofPreimage,
  getArtifactPreview,
  getArtifactBytes,
  putUpload,
  listTaskFeedbacks,
  getFeedbackFile,
  addTaskViewer,
  listTaskViewers,
  removeTaskViewer,
  verifyAccessPassword,
  getAgentStats,
  listLeaderboardEntries,
  getAgentCount,
  getInbox,
  getActionQueue,
  listAgentWork,
  getPublicKey,
  setPublicKey,
  getRegistration,
  getIdentityStatus,
  getRequesterStats,
  getRequesterStatsAlias,
  getBalance,
  getCredit,
  getWithdrawalAddress,
  listWithdrawalAddressHistory,
  setWithdrawalAddress,
  changeWithdrawalAddress,
  revealRecoveryCode,
  revealBackfilledRecoveryCode,
  getExchangeRate,
  getTokenBalance,
  listVaults,
  listVaultsByToken,
  getVault,
  getVaultBalance,
  listManagers,
  getSettlement,
  previewFunding,
  buildFundingHookData,
  listEntitlements,
  getClaimNonce,
  listClaimable,
  setVaultCuration,
  runSql,
  getSqlSchema,
  getSqlCsv,
  getSqlAnswer,
  explainSql,
  listExports,
  listLogEvents,
  createWebhook,
  listWalletWebhooks,
  listWebhookDeliveries,
  rotateWebhookSecret,
  resumePausedWebhook,
  testWebhook,
  replayWebhook,
  deleteWalletWebhook,
  getIntent,
  registerDevice,
  getDeviceKey,
  getDeviceStatus,
  endDevice,
  getBoundOnly,
  getConsent,
  setConsent,
  getCurrentBundle,
  getDocument,
  issueChallenge,
  acceptBundle,
  getStatus,
]

/**
 * The reads that clients can also call as tRPC procedures (docs/build/rpc.md). The keys are the procedure names. All
 * relayed writes are procedures, in addition to these reads.
 */
export const queries: Readonly<Record<string, RouteContract>> = {
  health: getHealth,
  'network.info': getNetwork,
  'bids.list': listTaskBids,
  'bids.my': listMyBids,
  'intents.get': getIntent,
  'tasks.get': getTask,
  'tasks.list': listTasks,
  'tasks.stats': getTaskStats,
  'pitches.list': listTaskPitches,
  'proofs.list': listTaskProofs,
  'submissions.list': listTaskSubmissions,
  'submissions.mine': listMySubmissions,
  'agents.stats': getAgentStats,
  'agents.leaderboard': listLeaderboardEntries,
  'agents.count': getAgentCount,
  'agents.work': listAgentWork,
  'agents.publicKey': getPublicKey,
  'agents.registration': getRegistration,
  'identity.status': getIdentityStatus,
  'devices.status': getDeviceStatus,
  'agents.inbox': getInbox,
  'agents.actionQueue': getActionQueue,
  'wallet.balance': getBalance,
  'wallet.credit': getCredit,
  'wallet.withdrawalAddress': getWithdrawalAddress,
  'wallet.withdrawalAddressHistory': listWithdrawalAddressHistory,
  'wallet.exchangeRate': getExchangeRate,
  'wallet.tokenBalance': getTokenBalance,
  'sponsoredTaskVaults.list': listVaults,
  'sponsoredTaskVaults.get': getVault,
  'sponsoredTaskVaults.balance': getVaultBalance,
  'sponsoredTaskVaults.managers': listManagers,
  'sponsoredTaskVaults.byToken': listVaultsByToken,
  'sponsoredTaskVaults.settlement.get': getSettlement,
  'sponsoredTaskVaults.entitlements': listEntitlements,
  'sponsoredTaskVaults.claimNonce': getClaimNonce,
  'sponsoredTaskVaults.claimable': listClaimable,
  'artifacts.preview': getArtifactPreview,
  'wallet.boundOnlySwitch': getBoundOnly,
  'wallet.consent': getConsent,
  'sponsoredTaskVaults.previewFunding': previewFunding,
  'sponsoredTaskVaults.buildFundingHookData': buildFundingHookData,
}

/** The writes that are not relayed and can also be called as tRPC procedures. The keys are the procedure names. */
export const mutations: Readonly<Record<string, RouteContract>> = {
  'agents.setPublicKey': setPublicKey,
  'devices.register': registerDevice,
  'devices.key': getDeviceKey,
  'devices.end': endDevice,
  'wallet.setConsent': setConsent,
  'wallet.setWithdrawalAddress': setWithdrawalAddress,
  'wallet.changeWithdrawalAddress': changeWithdrawalAddress,
  'wallet.revealRecoveryCode': revealRecoveryCode,
  'sponsoredTaskVaults.curation.setStatus': setVaultCuration,
}

/** The relayed writes. */
export const writes: readonly AnyWrite[] = [
  createTask,
  updateTask,
  cancelTask,
  refundExpiredTask,
  settleStaleTask,
  createClaim,
  createBid,
  acceptAuction,
  selectWinner,
  forfeitTask,
  createPitch,
  selectWorker,
  createProof,
  createSubmission,
  createFromKeys,
  acceptSubmission,
  acceptSubmissions,
  rejectSubmission,
  objectToDelivery,
  assignEvaluator,
  evaluateTask,
  appealVerdict,
  resolveDispute,
  finalizeVerdict,
  timeOutEvaluator,
  rateWorker,
  pushCredit,
  withdraw,
  withdrawToken,
  setBoundOnly,
  claimReward,
  registerIdentity,
  adoptIdentity,
]
