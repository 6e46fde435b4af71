import { fill, h } from '../dom.ts'
import { readSession } from '../session.ts'
import { isDelivered } from './delivered-file.ts'
import { hashFile } from './hash-file.ts'
import { type Manifest, readBytes, readManifest } from './read-delivery.ts'

/** Maximum size in bytes of a file that is read without a click of the visitor. */
const MOST_UNASKED = 5_000_000
const MOST_TEXT = 200_000
/**
 * Types of the images that the page can show. SVG is excluded because an SVG file is a document that can contain
 * scripts.
 */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/**
 * Verifies delivered files in the browser: each file against the hashes in the submission's manifest, and the manifest
 * against the hash that the service states for the manifest. Small files are verified when they become visible.
 */
export function startVerification(): void {
  watchFiles()
  document.addEventListener('page-refreshed', watchFiles)
}

let observer: IntersectionObserver | undefined

/**
 * Starts the verification of files that were added to the page. Files that already show a result are not verified
 * again.
 */
export function watchFiles(): void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      observer?.unobserve(target)
      void check(target as HTMLElement)
    }
  })
  for (const file of document.querySelectorAll<HTMLElement>('[data-file]:not(:has([data-result]))')) {
    if (Number(file.dataset.size) <= MOST_UNASKED) observer.observe(file)
    else offer(file)
  }
}

function offer(file: HTMLElement): void {
  const place = resultOf(file)
  fill(place, h('button', { class: 'copy', type: 'button', onclick: () => void check(file) }, 'Read and check'))
}

async function check(file: HTMLElement): Promise<void> {
  const place = resultOf(file)
  fill(place, h('small', { role: 'status' }, 'checking…'))
  try {
    const { manifest, bytes } = await read(file, (part) =>
      fill(place, h('small', {}, `checking, ${Math.floor(part * 100)} %`)),
    )
    const hashes = await hashFile(bytes)
    if (!isDelivered(manifest, Number(file.dataset.order), hashes)) {
      fill(place, h('span', { class: 'wrong' }, 'These are not the bytes that were delivered: not shown.'))
      return
    }
    fill(place, h('span', { class: 'ok' }, 'matches the manifest'), chainButton(file, manifest), useButton(file, bytes))
  } catch (error) {
    fill(
      place,
      h('small', {}, (error as Error).message),
      h('button', { class: 'copy', type: 'button', onclick: () => void check(file) }, 'Try again'),
    )
  }
}

/**
 * Reads one file and its manifest, and checks the manifest's hash and the file's size.
 * @throws Error with a sentence for a person
 */
async function read(
  file: HTMLElement,
  onProgress: (part: number) => void,
): Promise<{ manifest: Manifest; bytes: Blob }> {
  const delivery = deliveryOf(file)
  const manifest = await readManifest(delivery)
  const { hash = '' } = delivery.dataset
  if (manifest.hash !== hash) throw new Error('The manifest is another one than the entry names.')
  const bytes = await readBytes(
    { taskId: delivery.dataset.task ?? '', artifactId: file.dataset.file ?? '' },
    onProgress,
  )
  if (bytes.size !== Number(file.dataset.size)) throw new Error('The file has another size than the entry names.')
  return { manifest, bytes }
}

function deliveryOf(file: HTMLElement): HTMLElement {
  const delivery = file.closest<HTMLElement>('[data-delivery]')
  if (delivery === null) throw new Error('The file belongs to no entry.')
  return delivery
}

/**
 * Renders a button that compares a submission's manifest with the chain. The comparison reads the chain through the
 * node of a browser wallet. Returns null if no such wallet is connected, for example with a demo wallet.
 */
function chainButton(file: HTMLElement, { hash }: Manifest) {
  if (readSession()?.kind !== 'announced') return null
  const button = h('button', { class: 'copy', type: 'button', onclick: () => void compare() }, 'Compare with the chain')
  const compare = async () => {
    const { isOnChain } = await import('./read-chain.ts')
    const transaction = deliveryOf(file).dataset.transaction ?? ''
    const chainMatch = await isOnChain(hash, transaction).catch(() => null)
    if (chainMatch === true) button.replaceWith(h('span', { class: 'ok' }, 'matches the chain'))
    else
      button.textContent =
        chainMatch === null ? 'Your wallet’s node does not say it. Again' : 'The chain has another hash'
  }
  return button
}

/**
 * Renders a button that saves the verified bytes as a file. For an image or a short text, also renders a button that
 * shows the bytes in the page. Never opens a worker's file in a tab of its own, where scripts in the file could run.
 */
function useButton(file: HTMLElement, bytes: Blob) {
  const { type = '', kind } = file.dataset
  const name = file.querySelector('[data-name]')?.textContent ?? 'file'
  const save = h(
    'a',
    { href: URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' })), download: name },
    'Save',
  )
  const isPicture = pictures.includes(type)
  const isText = kind === 'text' && bytes.size <= MOST_TEXT
  if (!isPicture && !isText) return save
  const show = async () => {
    const preview = isPicture
      ? h('img', { class: 'shown', alt: name, src: URL.createObjectURL(new Blob([bytes], { type })) })
      : h('pre', { class: 'shown', tabindex: '0', 'aria-label': name }, await bytes.text())
    button.remove()
    file.append(preview)
  }
  const button = h('button', { class: 'copy', type: 'button', onclick: () => void show() }, 'Show')
  return [button, save]
}

function resultOf(file: HTMLElement): HTMLElement {
  const place = file.querySelector<HTMLElement>('[data-result]')
  if (place !== null) return place
  const resultRow = h('span', { 'data-result': true, class: 'row' })
  file.append(resultRow)
  return resultRow
}
