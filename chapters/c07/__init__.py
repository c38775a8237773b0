"""c07: three capabilities, one connection.

Tools are the model's, resources the application's, prompts the person's. One connection publishes
all of them in one assignment, and they go in one.
"""

from chapters.c07.admission import admission_of_lists
from chapters.c07.exposed import Exposed, ExposedPrompt, ExposedResource, ExposedTemplate
from chapters.c07.policy import AllowedLists, TemplatePolicy
from chapters.c07.prompts import PromptRefused, load_prompt, parse_command
from chapters.c07.resources import ResourceRefused, list_resources, read_resource
from chapters.c07.updates import subscribed, updated
from chapters.c07.view import for_the_lead
from chapters.c07.walk import published_lists

__all__ = [
    "AllowedLists",
    "Exposed",
    "ExposedPrompt",
    "ExposedResource",
    "ExposedTemplate",
    "PromptRefused",
    "ResourceRefused",
    "TemplatePolicy",
    "admission_of_lists",
    "for_the_lead",
    "list_resources",
    "load_prompt",
    "parse_command",
    "published_lists",
    "read_resource",
    "subscribed",
    "updated",
]
