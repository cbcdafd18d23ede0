"""stub"""


class Agency: ...
