import { keepMain } from '../page/served.ts'

/**
 * Reads this page again and puts its new content in place of the old one: position, dialogs and focus stay. The browser parses
 * the answer itself, as it does a page.
 */
export async function refreshPage(): Promise<void> {
  const page = await readPage()
  const [old, fresh] = [document.querySelector('main'), page?.querySelector('main')]
  if (!old || !fresh) return location.reload()
  const made = document.importNode(fresh, true)
  old.replaceWith(made)
  keepMain(made)
  document.dispatchEvent(new Event('page-refreshed'))
  await loadIslands(page)
}

/** Reads this page again; null: it cannot be had. */
export function readPage(): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.responseType = 'document'
    // The page of a private task has the status of one that is not there.
    request.onload = () => resolve(request.status === 200 || request.status === 404 ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })
}

/** Loads the islands that this page did not need before, such as that of files when the first ones were delivered. */
export async function loadIslands(page: Document | null): Promise<void> {
  const sources = [...(page?.querySelectorAll('script[src]') ?? [])].map((script) => script.getAttribute('src') ?? '')
  // One that is loaded already is not run again.
  await Promise.all(sources.map((source) => import(source)))
}
