import { MARKET_NAME } from '../html/layout.ts'
import { taskUrl } from '../pages/tasks/task-row.ts'
import { plain, titled } from '../words/text.ts'
import { type FeedFacts, summaryOf } from './atom.ts'

/** Renders a JSON Feed 1.1 of a list of tasks. */
export function jsonFeed({ tasks, now, title, publicUrl, listPath, feedPath }: FeedFacts): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: `${title} · ${MARKET_NAME}`,
    home_page_url: `${publicUrl}${listPath}`,
    feed_url: `${publicUrl}${feedPath('json')}`,
    items: tasks.map((task) => {
      const url = `${publicUrl}${taskUrl(task)}`
      return {
        id: url,
        url,
        title: titled(task.description).title,
        content_text: plain(task.description),
        summary: summaryOf(task, now),
        date_published: task.createdAt,
        authors: [{ name: task.requester, url: `${publicUrl}/requesters/${task.requester}` }],
        tags: task.tags.map(plain),
      }
    }),
  })
}
