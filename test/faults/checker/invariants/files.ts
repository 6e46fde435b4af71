import { keccak256, stringToBytes } from 'viem'
import type { ChainEvent, Evidence, FileEvidence, FileRow, ManifestRow, StoredObject } from '../evidence.ts'
import { eventsNamed } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const delivered = violationsOf('delivered files exist')
const owned = violationsOf('every file has a row, and every row a file')
const swept = violationsOf('no unneeded file is kept')

/** Retention of files that no write needs, and a minute for the sweep. */
const KEPT_SECONDS = 86_400 + 60

/** Every deliverable relayed by the service can be fetched and verified; no other file is kept for ever. */
export function checkFiles(evidence: Evidence): Violation[] {
  const objects = new Map(evidence.files.objects.map((object) => [`${object.area}/${object.id}`, object]))
  return [
    ...eventsNamed(evidence, 'market', 'TaskSubmitted')
      .filter((event) => isRelayedDelivery(evidence, event))
      .flatMap((event) => checkDelivery(evidence.files, objects, event)),
    ...checkRows(evidence.files, objects),
    ...checkLeftovers(evidence, objects),
  ]
}

/** A proof is a submission without files; a deliverable that a worker commits to directly has no files in the service. */
function isRelayedDelivery({ chain }: Evidence, { txHash }: ChainEvent): boolean {
  const names = chain.events.filter((event) => event.txHash === txHash).map(({ name }) => name)
  return names.includes('IntentRelayed') && !names.includes('ProofSubmitted')
}

interface ManifestFile {
  displayOrder: number
  sizeBytes: number
  sha256Hash: string
  keccak256Hash: string
}

function checkDelivery(
  { manifests, artifacts }: FileEvidence,
  objects: ReadonlyMap<string, StoredObject>,
  { args, txHash }: ChainEvent,
): Violation[] {
  const isThis = (row: Pick<ManifestRow, 'taskId' | 'worker' | 'deliverable'>) =>
    row.taskId === args.taskId && row.worker === args.worker && row.deliverable === args.deliverable
  const lost = (message: string) => delivered(`deliverable ${args.deliverable}`, message, 'lost')
  const manifest = manifests.find(isThis)?.manifest
  if (manifest === undefined) return [lost(`was anchored in ${txHash}, and has no manifest`)]
  if (keccak256(stringToBytes(manifest)) !== args.deliverable) return [lost('its manifest has another hash')]
  const files = (JSON.parse(manifest) as { artifacts: ManifestFile[] }).artifacts
  if (files.length === 0) return [lost('its manifest names no file')]
  return files.flatMap((file) => {
    const { displayOrder, sizeBytes, sha256Hash, keccak256Hash } = file
    const row = artifacts.find((artifact) => isThis(artifact) && artifact.displayOrder === displayOrder)
    const object = objects.get(`artifacts/${row?.id}`)
    if (object === undefined) return lost(`its file ${displayOrder} is ${row === undefined ? 'in no row' : 'gone'}`)
    const isAsSaid =
      object.sizeBytes === sizeBytes && object.sha256Hash === sha256Hash && object.keccak256Hash === keccak256Hash
    return isAsSaid ? [] : lost(`its file ${displayOrder} has other bytes than its manifest says`)
  })
}

function checkRows(
  { uploads, storedFiles, artifacts }: FileEvidence,
  objects: ReadonlyMap<string, StoredObject>,
): Violation[] {
  const rows = new Set([...uploads.map(({ id }) => `uploads/${id}`), ...storedFiles.map(({ id }) => `artifacts/${id}`)])
  return [
    ...[...objects.keys()]
      .filter((name) => !rows.has(name))
      .map((name) => owned(name, 'is in storage, and has no row')),
    ...artifacts
      .filter(({ id }) => !objects.has(`artifacts/${id}`))
      .map(({ id }) => owned(`artifacts/${id}`, 'has a row of artifacts, and is not in storage')),
  ]
}

function checkLeftovers(evidence: Evidence, objects: ReadonlyMap<string, StoredObject>): Violation[] {
  const { uploads, storedFiles, artifacts, others } = evidence.files
  const committed = new Set(eventsNamed(evidence, 'market', 'TaskSubmitted').map(({ args }) => args.deliverable))
  const isSubmission = (id: string) =>
    artifacts.some((artifact) => artifact.id === id && committed.has(artifact.deliverable))
  const checkAge = (area: StoredObject['area'], { id }: FileRow, seconds: number | null): Violation[] => {
    const name = `${area}/${id}`
    if (seconds === null || seconds <= KEPT_SECONDS) return []
    const found = objects.has(name) ? [swept(name, 'is in storage a day after it was last needed')] : []
    return seconds <= 2 * KEPT_SECONDS ? found : [...found, swept(name, 'has a row two days after it was last needed')]
  }
  return [
    ...uploads.flatMap((row) => checkAge('uploads', row, row.ageSeconds)),
    ...storedFiles.flatMap((row) => {
      if (row.intentId === null) return checkAge('artifacts', row, row.ageSeconds)
      return isSubmission(row.id) ? [] : checkAge('artifacts', row, row.failedForSeconds)
    }),
    ...others
      .filter(({ ageSeconds }) => ageSeconds > KEPT_SECONDS)
      .map(({ path }) => swept(path, 'is a temporary file of a day ago')),
  ]
}
