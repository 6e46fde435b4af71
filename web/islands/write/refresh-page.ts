import { keepMain } from '../page/served.ts'

/** Reads this page again and replaces its content. Position, dialogs and focus stay. The browser parses the answer itself. */
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

/** Reads this page again; null: it is not available. */
export function readPage(): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.responseType = 'document'
    // The page of a private task has the status 404.
    request.onload = () => resolve(request.status === 200 || request.status === 404 ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })
}

/** Loads islands that this page did not have before, such as that of files after the first delivery. */
export async function loadIslands(page: Document | null): Promise<void> {
  const sources = [...(page?.querySelectorAll('script[src]') ?? [])].map((script) => script.getAttribute('src') ?? '')
  // A loaded island does not run again.
  await Promise.all(sources.map((source) => import(source)))
}
