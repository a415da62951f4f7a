"""Every refusal of the host as it is raised, with words of its message."""

from tests.ui.raised_community_refusals import COMMUNITY_REFUSALS
from tests.ui.raised_study_refusals import STUDY_REFUSALS
from tests.ui.raised_table_refusals import TABLE_REFUSALS

HOST_REFUSALS = {**TABLE_REFUSALS, **STUDY_REFUSALS, **COMMUNITY_REFUSALS}
