import type { Hex } from 'viem'
import { curationStatuses } from '../../../api/read-model/vault-curation.queries.ts'
import { boundOnlyText } from '../../../protocol/bound-call.ts'
import type { WebhookVerb } from '../../../protocol/signed/account-texts.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { type Actor, anActor, expiringReadHeadersOf, readHeadersOf } from '../actors.ts'
import { aClaimBody, aForfeitBody, aSubmissionBody, aTaskBody } from '../conformance-fixtures.ts'
import { aConsentSwitch } from '../consent-switch.ts'
import { aCuration } from '../curator.ts'
import { vaultAddress } from '../fake-vaults.ts'
import { anAcceptance, challengeFor, type Post } from '../legal-client.ts'
import { toCompressedKey } from '../public-keys.ts'
import { aClaimOfReward } from '../sponsor.ts'
import { aFromKeysBody, aLocalFile, anUploadRequest, toKeyedFile } from '../uploads.ts'
import { creationBody, signChange } from '../webhooks/signed-webhooks.ts'
import { aRegistration, aTokenWithdrawalBody, aWithdrawalBody } from '../withdrawals.ts'
import type { Draft } from './draft.ts'
import { accessPassword, type FuzzEnvironment, type KnownTask, type Recipe } from './environment.ts'

const auction = { mode: 'auction', maxPrice: '2000000', bidDeadline: 1 }
/** Tasks of every kind that can be created. */
const creations: readonly Record<string, unknown>[] = [
  {},
  { mode: 'benchmark', metricDescription: 'seconds', metricTarget: '1' },
  { mode: 'claim' },
  { mode: 'claim', stakeRequired: true, stakeBps: 500 },
  { mode: 'pitch', pitchDeadline: 3600 },
  ...['english', 'reverse_english'].map((auctionType) => ({ auctionType, ...auction })),
  { auctionType: 'dutch', auctionFloorPrice: '1000', ...auction },
  { auctionType: 'reverse_dutch', auctionStartPrice: '1000', ...auction },
  { taskVisibility: 'unlisted', submissionVisibility: 'never' },
]

/** Queries of an analyst, within the limits and beyond. */
const queries: readonly Record<string, unknown>[] = [
  { query: 'SELECT 1 AS one' },
  { query: 'SELECT id, reward, created_at FROM market.task ORDER BY created_at_ms DESC LIMIT 3' },
  { query: 'SELECT $1::numeric + $2 AS sum, $3 AS text', params: [1, '2', null] },
  { query: 'SELECT count(*) FROM task WHERE status = $1', params: ['open'] },
  { query: 'SELECT pg_sleep(1)' },
  { query: 'DELETE FROM task' },
  { query: 'SELECT (' },
]

const contests = ['bounty', 'benchmark']
const isOpen = ({ status }: Pick<KnownTask, 'status'>) => status === 'open'
const takesSubmissions = (task: KnownTask) =>
  !task.expired &&
  (task.worker !== null
    ? /^(claimed|worker_selected)$/.test(task.status)
    : isOpen(task) && contests.includes(task.mode))
const isFresh = (task: KnownTask) => isOpen(task) && !task.expired && task.active.length === 0

/**
 * How to make each operation succeed, or answer its price. An operation without a recipe gets values of its schema,
 * with existing ids in it.
 */
export const recipes: Readonly<Record<string, Recipe>> = {
  createTask: ({ actors }, choice) => ({
    payer: actors[0],
    params: {},
    query: [],
    body: aTaskBody(pick(creations, choice)),
  }),
  updateTask: onTask(isFresh, (task, choice) => ({
    payer: task.requester,
    body: pick([{ reward: '9000000' }, { description: 'Two haikus' }, { tags: ['new'], reward: '4000000' }], choice),
  })),
  cancelTask: onTask(isFresh, ({ requester }) => ({ payer: requester })),
  refundExpiredTask: onTask(
    (task) => task.expired && task.active.length === 0 && ['open', 'claimed', 'worker_selected'].includes(task.status),
    ({ requester }) => ({ payer: requester }),
  ),
  settleStaleTask: onTask(
    ({ stale, status }) => stale === true && isOpen({ status }),
    ({ requester }) => ({ payer: requester }),
  ),
  pushCredit: ({ texts, actors }, choice) => ({
    payer: actors[0],
    params: {},
    query: [],
    body: { address: pick(texts.creditOwner ?? actors.map(({ address }) => address), choice) },
  }),
  buildFundingHookData: ({ texts, actors }, choice) => {
    const { description: _text, ...terms } = aTaskBody(pick(creations, choice))
    const [vaultId] = texts.vaultId ?? []
    if (vaultId === undefined) return null
    return {
      params: { vaultId },
      body: { managerAddress: pick(actors, choice).address, grossAmount: '1000', ...terms },
    }
  },
  createClaim: onTask(
    (task) => isFresh(task) && task.mode === 'claim',
    async ({ id, claimRound }, _choice, worker) => ({ payer: worker, body: await aClaimBody(worker, id, claimRound) }),
  ),
  forfeitTask: onTask(
    (task) => task.expired && task.mode === 'claim' && task.status === 'claimed',
    async ({ id, claimRound, requester }) => ({
      payer: requester,
      body: await aForfeitBody(requester, id, claimRound),
    }),
  ),
  requestUploadUrl: onTask(takesSubmissions, async ({ id, worker }, _choice, stranger) => ({
    body: await anUploadRequest(worker ?? stranger, id),
  })),
  createSubmissionFromKeys: async (environment, choice) =>
    await onTask(takesSubmissions, async ({ id, worker, requester }) => {
      const able = worker === null ? environment.actors.filter((actor) => actor !== requester) : [worker]
      return await anUploadedSubmission(environment, able, id)
    })(environment, choice),
  createSubmission: onTask(takesSubmissions, async ({ id, worker }, _choice, stranger) => ({
    payer: worker ?? stranger,
    body: await aSubmissionBody(worker ?? stranger, id),
  })),
  acceptSubmission: onTask(
    (task) => task.active.length > 0 && task.evaluator === null && (isOpen(task) || task.status === 'pending_approval'),
    ({ active, requester }, choice) => ({ payer: requester, body: { worker: pick(active, choice).worker.address } }),
  ),
  acceptSubmissions: onTask(
    (task) => task.active.length > 0 && isOpen(task) && task.evaluator === null,
    ({ active, requester }, choice) => {
      const { worker, id } = pick(active, choice)
      return { payer: requester, body: { winners: [{ worker: worker.address, share: 10_000, submissionId: id }] } }
    },
  ),
  rejectSubmission: onTask(
    (task) => task.active.length > 0 && isOpen(task) && task.evaluator === null,
    ({ active, requester }, choice) => ({ payer: requester, body: { worker: pick(active, choice).worker.address } }),
  ),
  objectToDelivery: onTask(
    ({ status }) => status === 'pending_approval',
    ({ requester }) => ({ payer: requester }),
  ),
  rateWorker: onTask(
    ({ unrated }) => unrated.length > 0,
    ({ unrated, requester }, choice) => ({
      payer: requester,
      body: { worker: pick(unrated, choice).address, rating: choice % 101, feedbackText: 'Well done' },
    }),
  ),
  assignEvaluator: onTask(
    (task) => isFresh(task) && task.evaluator === null,
    ({ requester }, _choice, stranger) => ({
      payer: requester,
      body: { evaluator: stranger.address, evaluatorFeeBps: 100, appealWindowHours: 1 },
    }),
  ),
  evaluateTask: onTask(
    ({ status, due }) => status === 'review' && !due,
    ({ evaluator }, choice) => ({ payer: evaluator, body: { verdict: pick(['approve', 'reject'], choice) } }),
  ),
  appealVerdict: onTask(
    ({ status, due, worker }) => status === 'appealing' && !due && worker !== null,
    ({ worker }) => ({ payer: worker }),
  ),
  resolveDispute: onTask(
    ({ status, due, active }) => status === 'disputed' && !due && active.length > 0,
    ({ resolver, active }) => ({
      payer: resolver,
      body: { verdict: 'approve', awards: [{ worker: active[0]?.worker.address, amount: '1000', rank: 1 }] },
    }),
  ),
  timeOutEvaluator: onTask(
    ({ status, due }) => status === 'review' && due,
    ({ requester }) => ({ payer: requester }),
  ),
  finalizeVerdict: onTask(
    ({ status, due }) => ['appealing', 'disputed'].includes(status) && due,
    ({ requester }) => ({ payer: requester }),
  ),
  createBid: onTask(
    ({ status, auctionType, due, expired }) =>
      isOpen({ status }) && !due && !expired && /english/.test(auctionType ?? ''),
    (_task, choice, stranger) => ({ payer: stranger, body: { price: String(1_000_000 - choice) } }),
  ),
  acceptAuction: onTask(
    ({ status, auctionType, expired }) => isOpen({ status }) && !expired && /dutch/.test(auctionType ?? ''),
    (_task, _choice, stranger) => ({ payer: stranger, body: { minPrice: '1000' } }),
  ),
  selectWinner: onTask(
    ({ status, auctionType, due }) => isOpen({ status }) && due && /english/.test(auctionType ?? ''),
    ({ id, requester }) => ({ payer: requester, body: { taskId: id } }),
  ),
  createPitch: onTask(
    (task) => isOpen(task) && task.mode === 'pitch' && !task.due && !task.expired,
    (_task, choice, stranger) => ({
      payer: stranger,
      body: { workerAddress: stranger.address, pitchText: `I am number ${choice}`, signature: '0x00' },
    }),
  ),
  selectWorker: onTask(
    (task) => isOpen(task) && task.pitch !== null && !task.expired,
    async ({ id, requester, pitch }) => {
      const worker = pitch?.worker.address
      const message = `service:select-worker:${id}:${pitch?.id}:${worker}`
      const signature = await requester.account.signMessage({ message })
      return { payer: requester, body: { pitchId: pitch?.id, workerAddress: worker, signature } }
    },
  ),
  getPitchPreimage: onTask(
    ({ pitch }) => pitch !== null,
    async ({ pitch, requester }) => ({
      ...(await signedBy(requester)),
      params: { pitchId: pitch?.id ?? '' },
    }),
  ),
  createProof: onTask(
    (task) => isFresh(task) && task.mode === 'benchmark',
    (_task, choice, stranger) => ({
      payer: stranger,
      body: { workerAddress: stranger.address, proofData: `${choice}`, proofType: 'url', signature: '0x00' },
    }),
  ),
  getProofPreimage: onTask(
    ({ proofId }) => proofId !== null,
    async ({ proofId, requester }) => ({
      ...(await signedBy(requester)),
      params: { proofId: proofId ?? '' },
    }),
  ),
  listMyBids: ({ actors }, choice) => signedBy(pick(actors, choice)),
  getTaskDrop: ({ texts }, choice) => ({ params: { taskDropId: pick(texts.taskDropId ?? [], choice) } }),
  addTaskViewer: ofPrivateTask((viewerAddress) => ({ body: { viewerAddress } })),
  listTaskViewers: ofPrivateTask(() => ({})),
  removeTaskViewer: ofPrivateTask((viewerAddress) => ({ params: { viewerAddress } })),
  verifyAccessPassword: onTask(
    ({ isPrivate }) => isPrivate,
    () => ({ body: { password: accessPassword } }),
  ),
  listTaskSubmissions: onTask(
    () => true,
    ({ requester }) => ({ payer: requester, query: [['limit', '5']] }),
  ),
  getSubmissionManifest: onTask(
    ({ active }) => active.length > 0,
    ({ active, requester }, choice) => ({ payer: requester, params: { submissionId: pick(active, choice).id } }),
  ),
  previewSubmission: async (environment, choice) => {
    const { task, submissionId } = deliveryOf(environment, choice)
    const { requester } = task
    const headers = await readHeadersOf(requester)
    const device = await environment.ask('POST', '/api/devices', { walletAddress: requester.address }, headers)
    const { deviceId, apiToken } = device
    return { payer: requester, params: { taskId: task.id, submissionId }, body: { deviceId, apiToken } }
  },
  downloadSubmission: async (environment, choice) => {
    const { task, submissionId } = deliveryOf(environment, choice, ({ status }) => status === 'completed')
    const asked = await signedBy(task.requester)
    const { awards } = await environment.ask('GET', `/api/tasks/${task.id}`, undefined, asked.headers)
    const body = { acceptanceTxHash: awards[0].settlementTxHash }
    return { ...asked, params: { taskId: task.id, submissionId }, body }
  },
  getArtifactPreview: async (environment, choice) => previewOf(environment, choice),
  getArtifactBytes: async (environment, choice) => {
    const { params, headers } = await previewOf(environment, choice)
    const { previewUrl } = await environment.ask(
      'GET',
      `/api/tasks/${params.taskId}/artifacts/${params.artifactId}/preview`,
      undefined,
      headers,
    )
    const { pathname, searchParams } = new URL(previewUrl)
    return { params: { id: pathname.split('/').at(-1) ?? '' }, query: [...searchParams] }
  },
  putUpload: ({ texts }, choice) => {
    if (texts.uploadUrl === undefined) return null
    const { pathname, searchParams } = new URL(pick(texts.uploadUrl, choice))
    return { params: { id: pathname.split('/').at(-1) ?? '' }, query: [...searchParams], body: 'work' }
  },
  getFeedbackFile: ({ texts }, choice) => ({ params: { id: pick(texts.feedback ?? [], choice) } }),
  runSql: (_environment, choice) => ({ body: pick(queries, choice) }),
  getSqlCsv: () => ({ query: [['query', 'SELECT count(*) FROM task']] }),
  getSqlAnswer: async ({ ask }) => {
    const { next } = await ask('POST', '/api/sql', { query: 'SELECT n FROM generate_series(1, 10001) AS n' })
    const [answerId = '', page = ''] = new URL(next).pathname.split('/').slice(-2)
    return { params: { answerId, page } }
  },
  explainSql: (_environment, choice) => ({ body: pick(queries, choice) }),
  getBooks: ({ actors, tasks }, choice) => {
    const { id } = pick(tasks, choice)
    const accounts = ['service_fees', actors[0].address, `escrow:${id}`].map((account) => ({ account }))
    return { query: Object.entries<string>(pick([{ taskId: id }, ...accounts], choice)) }
  },
  getIntent: ({ texts }, choice) => ({ query: [['idempotencyKey', pick(texts.idempotencyKey ?? [], choice)]] }),
  registerDevice: ({ actors }, choice) => ({ body: { walletAddress: pick(actors, choice).address } }),
  getDeviceKey: ofDevice((deviceId, apiToken) => ({ body: { deviceId, apiToken } })),
  getDeviceStatus: ofDevice((deviceId, apiToken) => ({ query: Object.entries({ deviceId, apiToken }) })),
  endDevice: ofDevice((_deviceId, apiToken) => ({ headers: { 'X-Service-Api-Token': apiToken } })),
  setWalletConsent: async ({ ask, now }, choice) => {
    const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
    const { accepts } = await ask('POST', '/api/tasks', aTaskBody(), headers)
    const terms = { required: choice % 2 === 0, forwarder: accepts[0].payTo, timestamp: now() }
    // A wallet outside the task: payments of the others name no request.
    return { body: await aConsentSwitch(anActor(), terms) }
  },
  setBoundOnly: async ({ ask, now }, choice) => {
    const owner = anActor()
    const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
    const { accepts } = await ask('POST', '/api/tasks', aTaskBody(), headers)
    const place = { chainId: localNetwork.chainId, forwarder: accepts[0].payTo }
    const terms = { wallet: owner.address, isOn: choice % 2 === 0, counter: 0n, validBefore: BigInt(now()) + 120n }
    const signature = await owner.account.signMessage({ message: `service:${boundOnlyText(place, terms)}` })
    const { wallet: walletAddress, isOn: boundOnly } = terms
    const body = { walletAddress, boundOnly, counter: '0', validBefore: Number(terms.validBefore), signature }
    return { params: {}, query: [], body }
  },
  setVaultCuration: async ({ texts, now }, choice) => {
    const vaultId = texts.vaultId?.[0] as Hex | undefined
    if (vaultId === undefined) return null
    const status = pick(curationStatuses, choice)
    return { params: { vaultId }, query: [], body: await aCuration({ vaultId, status, timestamp: now() }) }
  },
  registerIdentity: ({ actors }, choice) => ({ payer: pick(actors, choice), params: {}, query: [], body: {} }),
  setPublicKey: async ({ ask }) => {
    const wallet = anActor()
    const signature = await wallet.account.signMessage({ message: `service:device-register:${wallet.address}` })
    const { deviceId, apiToken } = await ask('POST', '/api/devices', { walletAddress: wallet.address, signature })
    return { body: { deviceId, apiToken, publicKey: toCompressedKey(wallet.account.publicKey) } }
  },
  getPublicKey: async ({ ask }) => {
    const { address, account } = anActor()
    const signature = await account.signMessage({ message: `service:device-register:${address}` })
    const publicKey = toCompressedKey(account.publicKey)
    await ask('POST', '/api/devices', { walletAddress: address, signature, publicKey })
    return { query: [['address', address]] }
  },
  revealRecoveryCode: ofImportedAddress,
  revealBackfilledRecoveryCode: ofImportedAddress,
  setWithdrawalAddress: async () => ({ body: await aRegistration(anActor(), anActor().address) }),
  changeWithdrawalAddress: async ({ ask }) => {
    const registration = await aRegistration(anActor(), anActor().address)
    const { accountRecoveryCode } = await ask('POST', '/api/wallet/set-withdrawal-address', registration)
    const { walletAddress } = registration
    return { body: { address: walletAddress, accountRecoveryCode, newWithdrawalAddress: anActor().address } }
  },
  withdraw: async ({ ask, actors, now }, choice) => {
    const [owner, to] = [pick(actors, choice), anActor().address]
    // Of an owner that has an address already, the refusal says so.
    await ask('POST', '/api/wallet/set-withdrawal-address', await aRegistration(owner, to)).catch(() => null)
    const { withdrawalAddress, usdcDomain } = await ask(
      'GET',
      `/api/wallet/withdrawal-address?address=${owner.address}`,
    )
    const terms = { to: withdrawalAddress, amount: 1_000n, now: BigInt(now()), usdc: usdcDomain.verifyingContract }
    return { params: {}, query: [], body: await aWithdrawalBody(owner, terms) }
  },
  withdrawToken: async ({ actors, now }, choice) => {
    const terms = { destination: anActor().address, now: BigInt(now()) }
    return { params: {}, query: [], body: await aTokenWithdrawalBody(pick(actors, choice), terms) }
  },
  claimSponsoredReward: async ({ actors: [, worker], texts, now, ask }) => {
    const [vaultId, taskId] = [texts.vaultId?.[0], texts.sponsoredTaskId?.[0]] as [Hex?, Hex?]
    if (worker === undefined || vaultId === undefined || taskId === undefined) return null
    // Of a worker that has an address already, the refusal says so.
    const registration = await aRegistration(worker, anActor().address)
    await ask('POST', '/api/wallet/set-withdrawal-address', registration).catch(() => null)
    const address = `/api/wallet/withdrawal-address?address=${worker.address}`
    const { withdrawalAddress: destination } = await ask('GET', address)
    const entitlement = { vaultId, taskId, epoch: 0, index: 0, amount: '1000', proof: [] }
    const terms = { destination, nonce: 0n, deadline: BigInt(now()) + 300n }
    const body = await aClaimOfReward({ vault: { vaultId, address: vaultAddress }, worker, entitlement }, terms)
    return { params: { vaultId }, query: [], body }
  },
  listWithdrawalAddressHistory: async ({ actors }, choice) => {
    const owner = pick(actors, choice)
    return { ...(await signedBy(owner)), query: [['address', owner.address]] }
  },
  listEvents: () => ({ query: [['limit', '5']] }),
  createWebhook: async (environment) => {
    const place = await placeOf(environment)
    return { body: await creationBody(anActor(), { url: 'https://hook.invalid/' }, place) }
  },
  listWebhooks: async (environment) => {
    const { owner, headers } = await aWebhook(environment)
    return { headers, query: [['address', owner.address]] }
  },
  listWebhookDeliveries: async (environment) => {
    const { params, headers } = await aWebhook(environment)
    return { params, headers }
  },
  rotateWebhookSecret: onWebhook('rotate'),
  resumeWebhook: onWebhook('resume'),
  testWebhook: onWebhook('test'),
  replayWebhook: onWebhook('replay', async ({ ask }) => {
    const { next } = await ask('GET', '/api/events?limit=1')
    return { after: next ?? '0123456789ab-0' }
  }),
  deleteWebhook: onWebhook('delete'),
  createLegalChallenge: ({ actors }, choice) => ({ body: { walletAddress: pick(actors, choice).address } }),
  acceptLegalBundle: async ({ actors, ask }, choice) => {
    const wallet = pick(actors, choice)
    const post: Post = async (path, body) => ({ status: 200, body: await ask('POST', `/api${path}`, body) })
    return { body: await anAcceptance(await challengeFor(post, wallet), wallet) }
  },
}

/** A request about one of the tasks that fit; null without such a task. `stranger` has no role in it. */
function onTask(
  fits: (task: KnownTask) => boolean,
  make: (
    task: KnownTask,
    choice: number,
    stranger: FuzzEnvironment['actors'][0],
  ) => Promise<Partial<Draft>> | Partial<Draft>,
): Recipe {
  return async ({ tasks, actors }, choice) => {
    const fitting = tasks.filter(fits)
    if (fitting.length === 0) return null
    const task = pick(fitting, choice)
    const stranger = actors.find((actor) => actor !== task.requester && actor !== task.worker) ?? actors[0]
    const made = await make(task, choice, stranger)
    return { ...made, params: { taskId: task.id, ...made.params } }
  }
}

/** A submission of one file, uploaded by the first worker who may still submit, or by the last one. */
async function anUploadedSubmission(
  environment: Pick<FuzzEnvironment, 'ask' | 'upload'>,
  workers: readonly Actor[],
  taskId: Hex,
): Promise<Partial<Draft>> {
  const [worker, ...others] = workers
  if (worker === undefined) throw new Error('a task that takes submissions has a worker to make them')
  const file = aLocalFile()
  const path = `/api/tasks/${taskId}/submissions/request-upload-url`
  const target = await environment.ask('POST', path, await anUploadRequest(worker, taskId, file))
  if (target.uploadUrl === undefined && others.length > 0) {
    return await anUploadedSubmission(environment, others, taskId)
  }
  if (target.uploadUrl !== undefined) await environment.upload(target.uploadUrl, target.uploadHeaders, file.bytes)
  const key = target.artifactKey ?? `${taskId}/${crypto.randomUUID()}`
  return { payer: worker, body: await aFromKeysBody(worker, taskId, [toKeyedFile(key, file)]) }
}

/** With the read identity, which these requests need. */
async function signedBy(actor: Actor): Promise<Partial<Draft>> {
  return { payer: actor, headers: await readHeadersOf(actor) }
}

function ofPrivateTask(make: (viewer: string) => Partial<Draft>): Recipe {
  return onTask(
    ({ isPrivate }) => isPrivate,
    async ({ requester }, _choice, stranger) => ({ ...(await signedBy(requester)), ...make(stranger.address) }),
  )
}

/** Where texts are signed for: the host of the service, and now. */
async function placeOf({ ask, now }: Pick<FuzzEnvironment, 'ask' | 'now'>) {
  const { documents } = await ask('GET', '/api/legal/current')
  return { host: new URL(documents[0].url).host, now: now() }
}

/** A webhook of a new wallet, and the headers by which the wallet reads. */
async function aWebhook(environment: FuzzEnvironment) {
  const owner = anActor()
  const place = await placeOf(environment)
  const body = await creationBody(owner, { url: 'https://hook.invalid/' }, place)
  const { webhookId } = await environment.ask('POST', '/api/webhooks', body)
  await environment.activateWebhook?.(webhookId)
  const headers = await expiringReadHeadersOf(owner, { baseUrl: `http://${place.host}`, now: place.now })
  return { owner, place, params: { webhookId: webhookId as string }, headers }
}

function onWebhook(
  verb: WebhookVerb,
  more: (environment: FuzzEnvironment) => Promise<object> = async () => ({}),
): Recipe {
  return async (environment) => {
    const { owner, place, params } = await aWebhook(environment)
    // Later than its creation.
    const later = { ...place, now: place.now + 1n }
    const change = await signChange(owner, { verb, subject: params.webhookId }, later)
    return { params, body: { ...change, ...(await more(environment)) } }
  }
}

function ofDevice(make: (deviceId: string, apiToken: string) => Partial<Draft>): Recipe {
  return async ({ ask, actors }, choice) => {
    const walletAddress = pick(actors, choice).address
    const { deviceId, apiToken } = await ask('POST', '/api/devices', { walletAddress })
    return { ...make(deviceId, apiToken), params: { deviceId } }
  }
}

/** The first submission of a task, the awarded one if any. */
function deliveryOf({ tasks }: FuzzEnvironment, choice: number, fits: (task: KnownTask) => boolean = () => true) {
  const task = pick(
    tasks.filter((known) => known.active.length > 0 && fits(known)),
    choice,
  )
  return { task, submissionId: task.active[0]?.id ?? '' }
}

/** A file of a public task. */
async function previewOf({ texts, tasks }: FuzzEnvironment, choice: number) {
  const [taskId = '', artifactId = ''] = pick(texts.artifact ?? [], choice).split('/')
  return { params: { taskId, artifactId }, headers: {}, payer: tasks[0]?.requester ?? null }
}

function pick<Item>(items: readonly Item[], choice: number): Item {
  const item = items[choice % Math.max(1, items.length)]
  if (item === undefined) throw new Error('the environment has none of this kind')
  return item
}

async function ofImportedAddress({ importWithdrawalAddress }: FuzzEnvironment): Promise<Partial<Draft>> {
  const { address, account } = anActor()
  await importWithdrawalAddress(address)
  const message = `service:reveal-account-recovery-code:${address}`
  return { body: { address, signature: await account.signMessage({ message }) } }
}
