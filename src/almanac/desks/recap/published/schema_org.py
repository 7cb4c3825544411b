"""What the desk's pages are in the words of schema.org, for search engines (JSON-LD)."""

from collections.abc import Mapping

from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.record_names import record_language
from almanac.desks.recap.model.views import MeetingTimeline, PersonView
from almanac.desks.recap.store.table import Article
from almanac.public import PreviewImage, PublicRequest
from almanac.public.links import join_path

_CONTEXT = {"@context": "https://schema.org"}
_MOST_MEETINGS = 20


def describe_article(request: PublicRequest, article: Article, image: PreviewImage) -> Mapping[str, object]:
    """A report about a sitting; it is made by the organisation of this site, from the record of a house."""
    url = _page(request, "articles", article.id)
    publisher = {"@type": "Organization", "name": request.ports.settings.organisation or "Almanac"}
    schema: dict[str, object] = {
        **_CONTEXT,
        "@type": "Report",
        "@id": url,
        "url": url,
        "mainEntityOfPage": url,
        "headline": article.title,
        "inLanguage": record_language(article.name_of_house),
        "datePublished": article.published_at.isoformat() if article.published_at else article.date[:10],
        "image": request.links.whole(request.language, image.path),
        "isAccessibleForFree": True,
        "publisher": publisher,
        "author": publisher,
        "about": [{"@type": "Thing", "name": name} for name in article.categories or ()],
        "recordedAt": {
            "@type": "Event",
            "name": " ".join(filter(None, (article.name_of_house, article.name_of_meeting))),
            "startDate": article.date[:10],
        },
    }
    if article.description:
        schema["description"] = article.description
    if article.updated_at:
        schema["dateModified"] = article.updated_at.isoformat()
    return schema


def describe_person(request: PublicRequest, person: PersonView, path: str) -> Mapping[str, object]:
    """Somebody who spoke, with what they were last."""
    office = max(person.offices, key=lambda each: each.day, default=None)
    url = request.links.whole(request.language, path)
    schema: dict[str, object] = {**_CONTEXT, "@type": "Person", "@id": url, "url": url, "name": person.identity.name}
    if person.identity.yomi:
        schema["alternateName"] = person.identity.yomi
    if office and (office.position or office.role):
        schema["jobTitle"] = office.position or office.role
    if office and office.group:
        schema["memberOf"] = {"@type": "Organization", "name": office.group}
    return schema


def describe_bill(request: PublicRequest, timeline: MeetingTimeline) -> Mapping[str, object]:
    """A bill with the reports of the sittings that dealt with it."""
    url = _page(request, "bills", timeline.key)
    return {
        **_CONTEXT,
        "@type": "Legislation",
        "@id": url,
        "url": url,
        "name": timeline.title,
        "inLanguage": record_language(timeline.entries[-1].card.name_of_house),
        "subjectOf": [_reference(request, entry.card) for entry in timeline.entries[-_MOST_MEETINGS:]],
    }


def _reference(request: PublicRequest, card: ArticleCard) -> Mapping[str, object]:
    return {
        "@type": "Report",
        "@id": _page(request, "articles", card.id),
        "headline": card.title,
        "datePublished": card.date[:10],
    }


def _page(request: PublicRequest, *parts: str) -> str:
    return request.links.whole(request.language, f"/recap{join_path(*parts)}")
