import { findSections, type SearchEntry } from './docs/find-sections.ts'
import { fill, find, h } from './dom.ts'

/** The search field of the documentation. The search index is loaded when the field gets the focus. */
const form = find<HTMLFormElement>('[data-docs-search]')
const input = find<HTMLInputElement>('[data-docs-search] input')
const results = find('.docs-results')
const article = find('.doc')
if (form !== null && input !== null && results !== null && article !== null) startSearch(form, input, results, article)

function startSearch(form: HTMLFormElement, input: HTMLInputElement, results: HTMLElement, article: HTMLElement): void {
  const status = find('p', results)
  const list = find('ol', results)
  let indexPromise: Promise<SearchEntry[]> | null = null

  const show = async (): Promise<void> => {
    const query = input.value.trim()
    results.hidden = query === ''
    article.hidden = query !== ''
    if (query === '' || status === null || list === null) return
    indexPromise ??= loadIndex()
    try {
      const hits = findSections(await indexPromise, query)
      if (query !== input.value.trim()) return
      status.textContent = describe(hits.length)
      fill(
        list,
        hits.map(({ href, page, heading }) =>
          h('li', {}, h('a', { href }, heading), heading === page ? null : h('small', {}, ` ${page}`)),
        ),
      )
    } catch {
      indexPromise = null
      status.textContent = 'The search cannot be loaded now. The list of pages still works.'
    }
  }

  input.addEventListener('focus', () => {
    indexPromise ??= loadIndex()
    indexPromise.catch(() => {
      indexPromise = null
    })
  })
  input.addEventListener('input', () => void show())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    find('a', results)?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && input.value !== '') {
      input.value = ''
      input.focus()
      void show()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event, input, results)
  })
  // A hit on the current page changes only the anchor.
  addEventListener('hashchange', () => {
    input.value = ''
    void show()
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  })
}

/** Moves the focus between the search field and the search results when the reader presses an arrow key. */
function move(event: KeyboardEvent, input: HTMLInputElement, results: HTMLElement): void {
  const stops: HTMLElement[] = [input, ...results.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at === -1 || results.hidden || next === undefined) return
  event.preventDefault()
  next.focus()
}

async function loadIndex(): Promise<SearchEntry[]> {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`)
  return (await answer.json()) as SearchEntry[]
}

function describe(count: number): string {
  if (count === 0) return 'Nothing has all of these words.'
  return count === 1 ? '1 section' : `${count} sections`
}
